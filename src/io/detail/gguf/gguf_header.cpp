#include "io/detail/gguf/gguf_header.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/io/gguf_view.h"

#include "io/detail/gguf/gguf_types.h"
#include "io/detail/json_value.h"
#include "io/detail/refusal.h"
#include "io/detail/stored_shape.h"
#include "io/detail/torch/content_budget.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::io::detail {
namespace {

constexpr std::string_view magic = "GGUF";
constexpr std::uint32_t first_version = 2;
constexpr std::uint32_t last_version = 3;
constexpr std::uint64_t usual_alignment = 32;
constexpr int deepest = 8;  // Lists within a list.

/// Types of metadata, with their numbers in the file.
enum class ValueType : std::uint32_t {
  U8,
  I8,
  U16,
  I16,
  U32,
  I32,
  F32,
  Boolean,
  Text,
  List,
  U64,
  I64,
  F64,
};
/// The fewest bytes of a value, by its type.
constexpr std::array<std::uint64_t, 13> least_bytes{1, 1, 2, 2, 4, 4, 4, 1, 8, 12, 8, 8, 8};

/// What a name takes in a map beside its text and its value.
constexpr std::uint64_t node_bytes = 128;

class HeaderReader {
 public:
  HeaderReader(std::span<const std::uint8_t> file, std::uint64_t max_bytes, const Refusal& refuse)
      : file_(file),
        budget_(max_bytes, file.size(), "GgufViewOptions::max_bytes", refuse),
        refuse_(refuse) {}

  GgufHeader read() {
    check_magic_and_version();
    const auto arrays = number<std::uint64_t>("the number of arrays");
    const auto values = number<std::uint64_t>("the number of metadata");
    constexpr std::uint64_t least_of_metadata = 13;  // A name's length, a type, a byte.
    constexpr std::uint64_t least_of_array = 24;     // A name's length, axes, a type, an offset.
    require_room(values, least_of_metadata, "metadata");
    GgufHeader header;
    for (std::uint64_t i = 0; i < values; ++i) {
      read_metadata(header);
    }
    require_room(arrays, least_of_array, "arrays");
    std::map<std::string, std::uint64_t> offsets;
    for (std::uint64_t i = 0; i < arrays; ++i) {
      read_entry(header, offsets);
    }
    place(header, offsets);
    return header;
  }

 private:
  [[noreturn]] void fail(const std::string& facts) const {
    refuse_(facts);
    throw InternalError("GgufView", "a refusal returned");
  }
  [[noreturn]] void fail_here(const std::string& facts) const {
    fail("byte " + std::to_string(position_) + ": " + facts);
  }
  [[noreturn]] void fail_array(const std::string& name, const std::string& facts) const {
    fail("array " + json_quoted(name) + ": " + facts);
  }

  [[nodiscard]] std::uint64_t left() const noexcept { return file_.size() - position_; }

  std::span<const std::uint8_t> take(std::uint64_t size, const char* what) {
    if (size > left()) {
      fail_here(std::string("the file ends inside ") + what + " of " + std::to_string(size) +
                " bytes, " + std::to_string(left()) + " are left");
    }
    const auto bytes = file_.subspan(position_, static_cast<std::size_t>(size));
    position_ += static_cast<std::size_t>(size);
    return bytes;
  }

  template <class Number>
  Number number(const char* what) {
    Number result{};
    std::memcpy(&result, take(sizeof(Number), what).data(), sizeof(Number));
    return result;
  }

  std::string text(const char* what) {
    const auto size = number<std::uint64_t>("the length of a text");
    const auto bytes = take(size, what);
    budget_.take(size);
    return {bytes.begin(), bytes.end()};
  }

  void require_room(std::uint64_t count, std::uint64_t least, const char* what) const {
    if (count > left() / least) {
      fail_here(std::to_string(count) + " " + what + " do not fit in the " +
                std::to_string(left()) + " bytes that are left");
    }
  }

  void check_magic_and_version() {
    const auto first = take(std::min<std::uint64_t>(magic.size(), left()), "the magic");
    if (!std::ranges::equal(first, magic, {}, {},
                            [](char c) { return static_cast<std::uint8_t>(c); })) {
      fail("does not begin with \"GGUF\"");
    }
    const auto version = number<std::uint32_t>("the version");
    if (version != 0 && (version & 0xFFFFU) == 0) {
      fail("is big-endian, only little-endian is supported");
    }
    if (version < first_version || version > last_version) {
      fail("is of version " + std::to_string(version) + ", only 2 and 3 are supported");
    }
  }

  void read_metadata(GgufHeader& header) {
    auto name = text("the name of metadata");
    const auto type = value_type();
    auto result = value(type, 0);
    budget_.take(node_bytes + sizeof(GgufValue));
    const auto [place, is_new] = header.metadata.emplace(std::move(name), std::move(result));
    if (!is_new) {
      fail_here("the key " + json_quoted(place->first) + " stands twice");
    }
    if (place->first == "general.alignment") {
      set_alignment(type, place->second);
    }
  }

  void set_alignment(ValueType type, const GgufValue& value) {
    const auto* const integer = std::get_if<std::int64_t>(&value.value);
    if (type != ValueType::U32 || integer == nullptr ||
        !std::has_single_bit(static_cast<std::uint64_t>(*integer))) {
      fail_here("general.alignment is " +
                (integer == nullptr ? std::string("no integer") : std::to_string(*integer)) +
                ", not a power of two of type UINT32");
    }
    alignment_ = static_cast<std::uint64_t>(*integer);
  }

  ValueType value_type() {
    const auto type = number<std::uint32_t>("the type of metadata");
    if (type >= least_bytes.size()) {
      fail_here("metadata of the unknown type " + std::to_string(type));
    }
    return static_cast<ValueType>(type);
  }

  template <class Integer>
  GgufValue integer() {
    const auto read = number<Integer>("an integer");
    if (std::in_range<std::int64_t>(read)) {
      return {static_cast<std::int64_t>(read)};
    }
    return {static_cast<std::uint64_t>(read)};
  }

  GgufValue value(ValueType type, int depth) {
    switch (type) {
      case ValueType::U8:
        return integer<std::uint8_t>();
      case ValueType::I8:
        return integer<std::int8_t>();
      case ValueType::U16:
        return integer<std::uint16_t>();
      case ValueType::I16:
        return integer<std::int16_t>();
      case ValueType::U32:
        return integer<std::uint32_t>();
      case ValueType::I32:
        return integer<std::int32_t>();
      case ValueType::U64:
        return integer<std::uint64_t>();
      case ValueType::I64:
        return integer<std::int64_t>();
      case ValueType::F32:
        return {static_cast<double>(number<float>("a real"))};
      case ValueType::F64:
        return {number<double>("a real")};
      case ValueType::Boolean:
        return {truth_value()};
      case ValueType::Text:
        return {text("a text")};
      case ValueType::List:
        return {list(depth + 1)};
    }
    throw InternalError("GgufView", "a type of metadata without a reader");
  }

  bool truth_value() {
    const auto read = number<std::uint8_t>("a truth value");
    if (read > 1) {
      fail_here("a truth value is " + std::to_string(read) + ", neither 0 nor 1");
    }
    return read == 1;
  }

  std::vector<GgufValue> list(int depth) {
    if (depth > deepest) {
      fail_here("more than " + std::to_string(deepest) + " lists in each other");
    }
    const auto type = value_type();
    const auto count = number<std::uint64_t>("the length of a list");
    require_room(count, least_bytes[static_cast<std::size_t>(type)], "elements of a list");
    budget_.take(count * sizeof(GgufValue));  // At most 40 times the bytes that are left.
    std::vector<GgufValue> result;
    result.reserve(static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < count; ++i) {
      result.push_back(value(type, depth));
    }
    return result;
  }

  void read_entry(GgufHeader& header, std::map<std::string, std::uint64_t>& offsets) {
    auto name = text("the name of an array");
    const auto rank = number<std::uint32_t>("the number of axes");
    if (rank > Shape::max_rank) {
      fail_array(name, std::to_string(rank) + " axes, at most " + std::to_string(Shape::max_rank) +
                           " are supported");
    }
    std::vector<std::uint64_t> extents(rank);
    for (auto& extent : extents) {
      extent = number<std::uint64_t>("an extent");
    }
    std::ranges::reverse(extents);
    const auto type_number = number<std::uint32_t>("the type of an array");
    const auto* const type = gguf_type(type_number);
    if (type == nullptr) {
      fail_array(name, "the unknown type " + std::to_string(type_number));
    }
    const auto offset = number<std::uint64_t>("the offset of an array");
    budget_.take(node_bytes + sizeof(GgufArray) + name.size());
    const GgufEntry entry{.type = type, .shape = shape_of(name, extents, *type), .bytes = {}};
    offsets.emplace(name, offset);
    if (const auto added = header.arrays.emplace(std::move(name), entry); !added.second) {
      fail_array(added.first->first, "stands twice");
    }
  }

  [[nodiscard]] Shape shape_of(const std::string& name, const std::vector<std::uint64_t>& extents,
                               const GgufType& type) const {
    std::uint64_t product = 1;
    std::vector<Shape::Extent> values;
    for (const auto extent : extents) {
      // Blocks take at most 8 bytes for an element, so that their bytes do not overflow either.
      if (extent > static_cast<std::uint64_t>(Shape::max_count) / product) {
        fail_array(name, "an extent of " + std::to_string(extent) + " is too large");
      }
      product *= std::max<std::uint64_t>(extent, 1);
      values.push_back(static_cast<Shape::Extent>(extent));
    }
    const auto row = extents.empty() ? 1 : extents.back();
    if (row % type.block_elements != 0) {
      fail_array(name, "rows of " + std::to_string(row) + " elements are no whole blocks of " +
                           std::to_string(type.block_elements) + ", which " +
                           std::string(type.name) + " has");
    }
    return Shape(std::span<const Shape::Extent>(values));
  }

  /// Finds the bytes of all arrays, which begin behind the header at the next aligned byte.
  void place(GgufHeader& header, const std::map<std::string, std::uint64_t>& offsets) const {
    const std::uint64_t begin = (position_ + alignment_ - 1) / alignment_ * alignment_;
    const std::uint64_t size = file_.size() > begin ? file_.size() - begin : 0;
    std::vector<std::pair<std::uint64_t, const std::string*>> order;
    for (auto& [name, entry] : header.arrays) {
      const auto offset = offsets.at(name);
      const auto count = static_cast<std::uint64_t>(entry.shape.count());
      const auto bytes = count / entry.type->block_elements * entry.type->block_bytes;
      if (offset % alignment_ != 0) {
        fail_array(name, "its offset " + std::to_string(offset) + " is no multiple of " +
                             std::to_string(alignment_));
      }
      if (offset > size || bytes > size - offset) {
        fail_array(name, std::to_string(bytes) + " bytes at offset " + std::to_string(offset) +
                             " do not lie in the " + std::to_string(size) + " bytes of data");
      }
      entry.bytes = file_.subspan(static_cast<std::size_t>(bytes == 0 ? 0 : begin + offset),
                                  static_cast<std::size_t>(bytes));
      if (bytes > 0) {
        order.emplace_back(offset, &name);
      }
    }
    check_that_none_overlap(header, order);
  }

  void check_that_none_overlap(
      const GgufHeader& header,
      std::vector<std::pair<std::uint64_t, const std::string*>>& order) const {
    std::ranges::sort(order);
    for (std::size_t i = 1; i < order.size(); ++i) {
      const auto& [before, name_before] = order[i - 1];
      if (order[i].first - before < header.arrays.at(*name_before).bytes.size()) {
        fail_array(*order[i].second, "overlaps array " + json_quoted(*name_before));
      }
    }
  }

  std::span<const std::uint8_t> file_;
  ContentBudget budget_;
  const Refusal& refuse_;
  std::size_t position_ = 0;
  std::uint64_t alignment_ = usual_alignment;
};

}  // namespace

GgufHeader read_gguf_header(std::span<const std::uint8_t> file, std::uint64_t max_bytes,
                            const Refusal& refuse) {
  return HeaderReader(file, max_bytes, refuse).read();
}

}  // namespace ddx::io::detail
