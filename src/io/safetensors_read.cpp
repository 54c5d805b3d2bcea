#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/input_file.h"
#include "ddx/core/shape.h"
#include "ddx/io/safetensors.h"

#include "io/detail/content_checksum.h"
#include "io/detail/safetensors_header.h"
#include "io/detail/safetensors_names.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::io {
namespace {

using detail::SafetensorsEntry;
using detail::SafetensorsHeader;

constexpr std::size_t length_bytes = 8;

class Reader {
 public:
  Reader(const std::filesystem::path& file, const SafetensorsReadOptions& options)
      : file_(file.string()), options_(options), input_(file, "read_safetensors") {}

  /// Checks the whole header before memory is taken for an array.
  TensorFile read() {
    auto header = read_header();
    std::vector<const std::pair<const std::string, SafetensorsEntry>*> order;
    TensorFile content;
    for (const auto& entry : header.entries) {
      content.tensors.emplace(entry.first, checked(entry.first, entry.second));
      order.push_back(&entry);
    }
    std::sort(order.begin(), order.end(),
              [](const auto* a, const auto* b) { return a->second.offsets < b->second.offsets; });
    std::uint64_t covered = 0;
    for (const auto* entry : order) {
      if (entry->second.offsets[0] != covered) {
        fail(entry->first, "begins at byte " + std::to_string(entry->second.offsets[0]) +
                               " of the data, the array before it ends at byte " +
                               std::to_string(covered));
      }
      covered = entry->second.offsets[1];
    }
    if (covered != data_size()) {
      fail("the arrays end at byte " + std::to_string(covered) + " of the data, the file has " +
           std::to_string(data_size()));
    }
    read_elements(header, content.tensors);
    content.metadata = std::move(header.metadata);
    content.metadata.erase(std::string(detail::checksum_name));
    content.metadata.erase(std::string(detail::covered_name));
    return content;
  }

 private:
  [[noreturn]] void fail(const std::string& facts) const {
    throw EnvironmentError("read_safetensors", file_ + ": " + facts);
  }
  [[noreturn]] void fail(const std::string& name, const std::string& facts) const {
    fail("array " + detail::quoted_array(name) + ": " + facts);
  }

  [[nodiscard]] std::uint64_t data_size() const { return input_.size() - data_begin_; }

  SafetensorsHeader read_header() {
    if (input_.size() < length_bytes) {
      fail("ends at byte " + std::to_string(input_.size()) + ", inside the length of its header");
    }
    std::array<std::uint8_t, length_bytes> first{};
    input_.read_at(0, first);
    std::uint64_t length = 0;
    for (std::size_t i = length_bytes; i-- > 0;) {
      length = length << 8 | first[i];
    }
    if (length > options_.max_header_bytes) {
      fail("a header of " + std::to_string(length) + " bytes, at most " +
           std::to_string(options_.max_header_bytes) +
           " are accepted; SafetensorsReadOptions::max_header_bytes is the limit");
    }
    if (input_.size() - length_bytes < length) {
      fail("ends at byte " + std::to_string(input_.size()) + ", inside its header of " +
           std::to_string(length) + " bytes");
    }
    std::vector<std::uint8_t> text(length);
    input_.read_at(length_bytes, text);
    if (text.empty() || text[0] != '{') {
      fail("byte 8: the header does not begin with '{'");
    }
    // For the parser a zero byte ends the text, whatever follows it.
    if (const auto zero = std::find(text.begin(), text.end(), 0); zero != text.end()) {
      fail("byte " + std::to_string(length_bytes + static_cast<std::size_t>(zero - text.begin())) +
           ": the header is not JSON");
    }
    data_begin_ = length_bytes + length;
    return detail::parse_safetensors_header(text, length_bytes,
                                            [&](const std::string& facts) { fail(facts); });
  }

  /// The array of an entry, still without its bytes.
  StoredTensor checked(const std::string& name, const SafetensorsEntry& entry) const {
    const auto& offsets = entry.offsets;
    if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > data_size()) {
      fail(name, "data_offsets " + detail::list_text(offsets) + " do not lie in the " +
                     std::to_string(data_size()) + " bytes of data");
    }
    StoredTensor array;
    const auto dtype = detail::dtype_named(entry.dtype);
    if (!dtype) {
      array.obstacle = "array " + detail::quoted_array(name) + " of " + file_ + ": dtype " +
                       detail::quoted_array(entry.dtype) + " is not supported";
      return array;
    }
    array.dtype = *dtype;
    const auto size = offsets[1] - offsets[0];
    if (byte_count(entry.shape, info(*dtype).bytes, size + 1) != size) {
      fail(name, "dtype " + entry.dtype + " and shape " + detail::list_text(entry.shape) +
                     " do not take the " + std::to_string(size) + " bytes of data_offsets");
    }
    array.shape = shape(name, entry.shape);
    return array;
  }

  /// The bytes that an array takes; `too_many` where they are that many or more.
  static std::uint64_t byte_count(const std::vector<std::uint64_t>& extents, std::uint64_t size,
                                  std::uint64_t too_many) {
    if (std::find(extents.begin(), extents.end(), 0) != extents.end()) {
      return 0;
    }
    for (const auto extent : extents) {
      if (extent > too_many / size) {
        return too_many;
      }
      size *= extent;
    }
    return size;
  }

  Shape shape(const std::string& name, const std::vector<std::uint64_t>& extents) const {
    std::vector<Shape::Extent> values;
    std::uint64_t product = 1;
    for (const auto extent : extents) {
      // Can fail only beside an extent of 0: elsewhere the bytes bound the product.
      if (extent > (std::uint64_t{1} << 62) / product) {
        fail(name, "an extent of " + std::to_string(extent) + " is too large");
      }
      product *= std::max<std::uint64_t>(extent, 1);
      values.push_back(static_cast<Shape::Extent>(extent));
    }
    return Shape(std::span<const Shape::Extent>(values));
  }

  /// Whether the file has a checksum that is to be compared.
  bool verifies(const SafetensorsHeader& header) const {
    const auto sum = header.metadata.find(std::string(detail::checksum_name));
    const auto covers = header.metadata.find(std::string(detail::covered_name));
    if (options_.checksum == ChecksumUse::Ignored) {
      return false;
    }
    if (sum == header.metadata.end() && covers == header.metadata.end()) {
      if (options_.checksum == ChecksumUse::Required) {
        fail("has no checksum");
      }
      return false;
    }
    if (sum == header.metadata.end() || covers == header.metadata.end() ||
        covers->second != detail::covered) {
      fail("is damaged: its checksum is incomplete");
    }
    return true;
  }

  void read_elements(const SafetensorsHeader& header, StoredTensors& arrays) const {
    const bool is_verified = verifies(header);
    detail::ContentChecksum sum;
    if (is_verified) {
      sum.add_remarks(header.metadata);
    }
    for (const auto& [name, entry] : header.entries) {
      auto& array = arrays.at(name);
      const bool is_kept = array.obstacle.empty();
      if (is_verified) {
        sum.add_array(name, entry.dtype, entry.shape);
      }
      if (!is_kept && !is_verified) {
        continue;
      }
      std::vector<std::uint8_t> bytes(entry.offsets[1] - entry.offsets[0]);
      input_.read_at(data_begin_ + entry.offsets[0], bytes);
      if (is_verified) {
        sum.add_bytes(bytes);
      }
      if (array.dtype == DType::boolean &&
          std::any_of(bytes.begin(), bytes.end(), [](auto byte) { return byte > 1; })) {
        fail(name, "a BOOL is neither 0 nor 1");
      }
      if (is_kept) {
        array.bytes = std::move(bytes);
      }
    }
    if (is_verified) {
      const auto& expected = header.metadata.at(std::string(detail::checksum_name));
      if (sum.text() != expected) {
        fail("is damaged, or was changed by a program that does not know its checksum: it is " +
             sum.text() + ", not " + detail::quoted_array(expected));
      }
    }
  }

  std::string file_;
  SafetensorsReadOptions options_;
  InputFile input_;
  std::uint64_t data_begin_ = 0;
};

}  // namespace

TensorFile read_safetensors(const std::filesystem::path& file,
                            const SafetensorsReadOptions& options) try {
  return Reader(file, options).read();
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_safetensors");
}

}  // namespace ddx::io
