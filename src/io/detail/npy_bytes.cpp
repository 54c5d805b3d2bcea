#include "io/detail/npy_bytes.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/io/npy.h"
#include "ddx/io/stored_tensor.h"

#include "io/detail/npy_header.h"
#include "io/detail/npy_types.h"
#include "io/detail/stored_shape.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::io::detail {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::string_view npy_magic = "\x93NUMPY";
/// The header and what is before it take a multiple of this, so that mapped elements are aligned.
constexpr std::size_t header_multiple = 64;
/// The digits of the largest extent that NumPy leaves room for.
constexpr std::size_t largest_digits = 21;

/// The elements in the other order: from column-major to row-major order where `from_columns`.
Bytes reordered(std::span<const std::uint8_t> bytes, const Shape& shape, std::size_t size,
                bool from_columns) {
  Bytes result(bytes.size());
  const std::size_t rank = shape.rank();
  Strides column_strides{};
  Shape::Extent stride = 1;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    column_strides[axis] = stride;
    stride *= shape[axis];
  }
  std::array<Shape::Extent, Shape::max_rank> index{};
  std::size_t in_columns = 0;
  for (std::size_t in_rows = 0; in_rows * size < bytes.size(); ++in_rows) {
    const auto from = from_columns ? in_columns : in_rows;
    const auto to = from_columns ? in_rows : in_columns;
    std::memcpy(result.data() + to * size, bytes.data() + from * size, size);
    for (std::size_t axis = rank; axis-- > 0;) {
      in_columns += static_cast<std::size_t>(column_strides[axis]);
      if (++index[axis] < shape[axis]) {
        break;
      }
      in_columns -= static_cast<std::size_t>(column_strides[axis] * shape[axis]);
      index[axis] = 0;
    }
  }
  return result;
}

void reverse_each(Bytes& bytes, std::size_t size) {
  for (auto element = bytes.begin(); element != bytes.end();
       element += static_cast<std::ptrdiff_t>(size)) {
    std::reverse(element, element + static_cast<std::ptrdiff_t>(size));
  }
}

}  // namespace

StoredTensor decode_npy(std::span<const std::uint8_t> bytes, const Refusal& refuse) {
  const auto inside = [&](std::size_t needed, const std::string& what) {
    if (bytes.size() < needed) {
      refuse("ends at byte " + std::to_string(bytes.size()) + ", inside " + what);
    }
  };
  if (!std::equal(
          bytes.begin(),
          bytes.begin() + static_cast<std::ptrdiff_t>(std::min(bytes.size(), npy_magic.size())),
          npy_magic.begin(), [](std::uint8_t a, char b) { return static_cast<char>(a) == b; })) {
    refuse("does not begin as a .npy file");
  }
  inside(10, "its first 10 bytes");
  const int version = bytes[6];
  if (version < 1 || version > 3 || bytes[7] != 0) {
    refuse("format version " + std::to_string(version) + "." + std::to_string(bytes[7]) +
           "; 1.0, 2.0 and 3.0 are supported");
  }
  const std::size_t length_size = version == 1 ? 2 : 4;
  const std::size_t start = 8 + length_size;
  inside(start, "the length of its header");
  std::size_t length = 0;
  for (std::size_t i = length_size; i-- > 0;) {
    length = length << 8 | bytes[8 + i];
  }
  inside(start + length, "its header of " + std::to_string(length) + " bytes");
  const auto header = parse_npy_header(
      std::string_view(reinterpret_cast<const char*>(bytes.data() + start), length), refuse);

  const auto order = header.type.empty() ? ' ' : header.type[0];
  const auto dtype = header.type.size() < 2 || !std::strchr("<>|", order)
                         ? std::nullopt
                         : dtype_of_npy(std::string_view(header.type).substr(1));
  if (!dtype || (order == '|' && info(*dtype).bytes > 1)) {
    StoredTensor unknown;
    unknown.obstacle = "dtype \"" + printable(header.type) + "\" is not supported";
    return unknown;
  }
  const auto data = bytes.subspan(start + length);
  StoredTensor array{.dtype = *dtype,
                     .shape = stored_shape(header.extents, info(*dtype).bytes, data.size(), refuse),
                     .bytes = Bytes(data.begin(), data.end())};
  if (header.column_major) {
    array.bytes = reordered(data, array.shape, info(*dtype).bytes, true);
  }
  if (order == '>') {
    reverse_each(array.bytes, info(*dtype).bytes);
  }
  check_truth_values(array, refuse);
  return array;
}

Bytes encode_npy(const StoredTensor& array, const NpyWriteOptions& options,
                 const std::string& operation, const std::string& name) {
  check_byte_count(array, operation, name);
  const auto size = info(array.dtype).bytes;
  const auto type = npy_name(array.dtype);
  if (!type) {
    throw UsageError(operation, name + " is of dtype " + std::string(to_string(array.dtype)) +
                                    ", which NumPy has not");
  }
  const bool big = options.byte_order == std::endian::big;
  NpyHeader header{.type = (size == 1 ? "|"
                            : big     ? ">"
                                      : "<") +
                           std::string(*type),
                   .column_major = options.order == ElementOrder::ColumnMajor,
                   .extents = {}};
  for (const auto extent : array.shape.extents()) {
    header.extents.push_back(static_cast<std::uint64_t>(extent));
  }
  auto text = npy_header_text(header);
  const std::size_t start = npy_magic.size() + 4;
  // As numpy.save: room for the axis that appending would make longer, then up to the multiple.
  if (!header.extents.empty()) {
    const auto grows = header.column_major ? header.extents.back() : header.extents.front();
    text.append(largest_digits - std::to_string(grows).size(), ' ');
  }
  text.append(header_multiple - (start + text.size() + 1) % header_multiple, ' ');
  text += '\n';

  Bytes bytes(npy_magic.begin(), npy_magic.end());
  bytes.insert(bytes.end(), {1, 0, static_cast<std::uint8_t>(text.size() & 255),
                             static_cast<std::uint8_t>(text.size() >> 8)});
  bytes.insert(bytes.end(), text.begin(), text.end());
  auto elements =
      header.column_major ? reordered(array.bytes, array.shape, size, false) : array.bytes;
  if (big) {
    reverse_each(elements, size);
  }
  bytes.insert(bytes.end(), elements.begin(), elements.end());
  return bytes;
}

}  // namespace ddx::io::detail
