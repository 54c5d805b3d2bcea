#include "io/detail/safetensors_layout.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/input_file.h"
#include "ddx/core/shape.h"
#include "ddx/io/stored_tensor.h"

#include "io/detail/json_value.h"
#include "io/detail/refusal.h"
#include "io/detail/safetensors_header.h"
#include "io/detail/safetensors_names.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::io::detail {
namespace {

constexpr std::size_t length_bytes = 8;

[[noreturn]] void refuse_array(const Refusal& refuse, const std::string& name,
                               const std::string& facts) {
  refuse("array " + json_quoted(name) + ": " + facts);
  throw InternalError("read_safetensors", "a refusal returned");
}

class LayoutReader {
 public:
  LayoutReader(const InputFile& file, std::string name, const HeaderLimit& limit,
               const Refusal& refuse)
      : file_(file), name_(std::move(name)), limit_(limit), refuse_(refuse) {}

  SafetensorsLayout read() {
    SafetensorsLayout layout;
    layout.header = read_header();
    layout.data_begin = data_begin_;
    std::vector<const std::pair<const std::string, SafetensorsEntry>*> order;
    for (const auto& entry : layout.header.entries) {
      layout.arrays.emplace(entry.first, checked(entry.first, entry.second));
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
      refuse_("the arrays end at byte " + std::to_string(covered) + " of the data, the file has " +
              std::to_string(data_size()));
    }
    return layout;
  }

 private:
  [[noreturn]] void fail(const std::string& name, const std::string& facts) const {
    refuse_array(refuse_, name, facts);
  }

  [[nodiscard]] std::uint64_t data_size() const { return file_.size() - data_begin_; }

  SafetensorsHeader read_header() {
    if (file_.size() < length_bytes) {
      refuse_("ends at byte " + std::to_string(file_.size()) + ", inside the length of its header");
    }
    std::array<std::uint8_t, length_bytes> first{};
    file_.read_at(0, first);
    std::uint64_t length = 0;
    for (std::size_t i = length_bytes; i-- > 0;) {
      length = length << 8 | first[i];
    }
    if (length > limit_.bytes) {
      refuse_("a header of " + std::to_string(length) + " bytes, at most " +
              std::to_string(limit_.bytes) + " are accepted; " + limit_.option + " is the limit");
    }
    if (file_.size() - length_bytes < length) {
      refuse_("ends at byte " + std::to_string(file_.size()) + ", inside its header of " +
              std::to_string(length) + " bytes");
    }
    std::vector<std::uint8_t> text(length);
    file_.read_at(length_bytes, text);
    if (text.empty() || text[0] != '{') {
      refuse_("byte 8: the header does not begin with '{'");
    }
    // For the parser a zero byte ends the text, whatever follows it.
    if (const auto zero = std::find(text.begin(), text.end(), 0); zero != text.end()) {
      refuse_("byte " +
              std::to_string(length_bytes + static_cast<std::size_t>(zero - text.begin())) +
              ": the header is not JSON");
    }
    data_begin_ = length_bytes + length;
    return parse_safetensors_header(text, length_bytes, refuse_);
  }

  /// The array of an entry, still without its bytes.
  StoredTensor checked(const std::string& name, const SafetensorsEntry& entry) const {
    const auto& offsets = entry.offsets;
    if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > data_size()) {
      fail(name, "data_offsets " + list_text(offsets) + " do not lie in the " +
                     std::to_string(data_size()) + " bytes of data");
    }
    StoredTensor array;
    const auto dtype = dtype_named(entry.dtype);
    if (!dtype) {
      array.obstacle = "array " + json_quoted(name) + " of " + name_ + ": dtype " +
                       json_quoted(entry.dtype) + " is not supported";
      return array;
    }
    array.dtype = *dtype;
    const auto size = offsets[1] - offsets[0];
    if (byte_count(entry.shape, info(*dtype).bytes, size + 1) != size) {
      fail(name, "dtype " + entry.dtype + " and shape " + list_text(entry.shape) +
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
      if (extent > static_cast<std::uint64_t>(Shape::max_count) / product) {
        fail(name, "an extent of " + std::to_string(extent) + " is too large");
      }
      product *= std::max<std::uint64_t>(extent, 1);
      values.push_back(static_cast<Shape::Extent>(extent));
    }
    return Shape(std::span<const Shape::Extent>(values));
  }

  const InputFile& file_;
  std::string name_;
  const HeaderLimit& limit_;
  const Refusal& refuse_;
  std::uint64_t data_begin_ = 0;
};

}  // namespace

SafetensorsLayout read_safetensors_layout(const InputFile& file, const std::string& name,
                                          const HeaderLimit& limit, const Refusal& refuse) {
  return LayoutReader(file, name, limit, refuse).read();
}

void check_safetensors_bytes(const std::string& name, DType dtype,
                             std::span<const std::uint8_t> bytes, const Refusal& refuse) {
  if (dtype == DType::boolean &&
      std::any_of(bytes.begin(), bytes.end(), [](auto byte) { return byte > 1; })) {
    refuse_array(refuse, name, "a BOOL is neither 0 nor 1");
  }
}

}  // namespace ddx::io::detail
