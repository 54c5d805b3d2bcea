#include "io/detail/onnx_tensor.h"

#include "ddx/core/dtype.h"
#include "ddx/io/stored_tensor.h"

#include "io/detail/stored_shape.h"
#include "io/detail/wire_reader.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::io::detail {
namespace {

// The numbers of onnx.proto.
struct TensorField {
  static constexpr std::uint64_t dims = 1;
  static constexpr std::uint64_t data_type = 2;
  static constexpr std::uint64_t segment = 3;
  static constexpr std::uint64_t float_data = 4;
  static constexpr std::uint64_t int32_data = 5;
  static constexpr std::uint64_t string_data = 6;
  static constexpr std::uint64_t int64_data = 7;
  static constexpr std::uint64_t name = 8;
  static constexpr std::uint64_t raw_data = 9;
  static constexpr std::uint64_t double_data = 10;
  static constexpr std::uint64_t uint64_data = 11;
  static constexpr std::uint64_t data_location = 14;
};
constexpr std::uint64_t in_another_file = 1;

/// An element type of ONNX, and the list that has its elements where they are not raw bytes.
struct OnnxType {
  DType dtype = DType::f32;
  std::uint64_t list = 0;  ///< 0: ddx has no such type.
};

/// By their numbers in `TensorProto.DataType`: 8 are texts, those behind have less than 16 bits.
constexpr std::array<OnnxType, 17> onnx_types = {{
    {},
    {DType::f32, TensorField::float_data},
    {DType::u8, TensorField::int32_data},
    {DType::i8, TensorField::int32_data},
    {DType::u16, TensorField::int32_data},
    {DType::i16, TensorField::int32_data},
    {DType::i32, TensorField::int32_data},
    {DType::i64, TensorField::int64_data},
    {},
    {DType::boolean, TensorField::int32_data},
    {DType::f16, TensorField::int32_data},
    {DType::f64, TensorField::double_data},
    {DType::u32, TensorField::uint64_data},
    {DType::u64, TensorField::uint64_data},
    {DType::c64, TensorField::float_data},
    {DType::c128, TensorField::double_data},
    {DType::bf16, TensorField::int32_data},
}};

std::string_view name_of_list(std::uint64_t list) {
  switch (list) {
    case TensorField::float_data:
      return "float_data";
    case TensorField::int32_data:
      return "int32_data";
    case TensorField::int64_data:
      return "int64_data";
    case TensorField::double_data:
      return "double_data";
    case TensorField::uint64_data:
      return "uint64_data";
    default:
      return "string_data";
  }
}

/// The fields of a message, before they are compared with each other.
class TensorParts {
 public:
  explicit TensorParts(WireReader reader) : reader_(std::move(reader)) {
    while (const auto field = reader_.next()) {
      add(*field);
    }
  }

  [[nodiscard]] OnnxTensor tensor() const {
    if (name_.empty()) {
      reader_.fail(place_, "an array ends without a name");
    }
    if (type_ == 0) {
      fail("has no dtype");
    }
    OnnxTensor result{.name = name_, .array = {}};
    const OnnxType type = type_ < onnx_types.size() ? onnx_types[type_] : OnnxType{};
    if (type.list == 0) {
      result.array.obstacle =
          "its dtype is number " + std::to_string(type_) + " of ONNX, which is not supported";
    } else if (is_elsewhere_) {
      result.array.obstacle = "its elements lie in another file, which is not supported";
    } else if (is_segment_) {
      result.array.obstacle = "is a segment of a larger array, which is not supported";
    } else {
      result.array = array(type);
    }
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& facts) const {
    reader_.fail(place_, "array \"" + printable(name_) + "\": " + facts);
  }

  void add(const WireField& field) {
    place_ = field.offset;
    switch (field.number) {
      case TensorField::dims:
        append(extents_, reader_.varints(field));
        break;
      case TensorField::data_type:
        type_ = reader_.number(field);
        break;
      case TensorField::segment:
        is_segment_ = true;
        break;
      case TensorField::float_data:
        appplace_to_list(field, reader_.fixed_values(field, 4));
        break;
      case TensorField::double_data:
        appplace_to_list(field, reader_.fixed_values(field, 8));
        break;
      case TensorField::int32_data:
      case TensorField::int64_data:
      case TensorField::uint64_data:
        appplace_to_list(field, reader_.varints(field));
        break;
      case TensorField::name:
        name_ = reader_.text(field);
        break;
      case TensorField::raw_data:
        (void)reader_.message(field);  // Fails where the field has no bytes.
        raw_ = field.bytes;
        break;
      case TensorField::data_location:
        is_elsewhere_ = reader_.number(field) == in_another_file;
        break;
      default:
        break;
    }
  }

  static void append(std::vector<std::uint64_t>& to, const std::vector<std::uint64_t>& values) {
    to.insert(to.end(), values.begin(), values.end());
  }

  void appplace_to_list(const WireField& field, const std::vector<std::uint64_t>& values) {
    if (list_ != 0 && list_ != field.number) {
      reader_.fail(field.offset, "an array has elements in " + std::string(name_of_list(list_)) +
                                     " and " + std::string(name_of_list(field.number)));
    }
    list_ = field.number;
    append(values_, values);
  }

  [[nodiscard]] StoredTensor array(const OnnxType& type) const {
    const auto refuse = [&](const std::string& facts) { fail(facts); };
    StoredTensor result{.dtype = type.dtype, .shape = {}, .bytes = {}};
    if (raw_ && list_ != 0) {
      fail("has elements in raw_data and " + std::string(name_of_list(list_)));
    }
    if (list_ != 0 && list_ != type.list) {
      fail("its elements are in " + std::string(name_of_list(list_)) + ", those of " +
           std::string(to_string(type.dtype)) + " are in " + std::string(name_of_list(type.list)));
    }
    const std::size_t each = info(part_dtype(type.dtype)).bytes;
    const std::size_t total = raw_ ? raw_->size() : values_.size() * each;
    result.shape = stored_shape(extents_, info(type.dtype).bytes, total, refuse);
    if (raw_) {
      result.bytes.assign(raw_->begin(), raw_->end());
    } else {
      result.bytes.reserve(total);
      for (const std::uint64_t value : values_) {
        appplace_number(value, part_dtype(type.dtype), result.bytes);
      }
    }
    check_truth_values(result, refuse);
    return result;
  }

  /// The lowest bytes of a number, or of the bits of one.
  void appplace_number(std::uint64_t value, DType dtype, std::vector<std::uint8_t>& to) const {
    const std::size_t bits = 8 * info(dtype).bytes;
    const bool is_signed = info(dtype).kind == DTypeKind::Signed;
    const auto above = static_cast<std::int64_t>(value) >> (bits - 1);
    if (is_signed ? above != 0 && above != -1 : bits < 64 && value >> bits != 0) {
      fail("number " + std::to_string(static_cast<std::int64_t>(value)) + " is none of " +
           std::string(to_string(dtype)));
    }
    for (std::size_t shift = 0; shift < bits; shift += 8) {
      to.push_back(static_cast<std::uint8_t>(value >> shift));
    }
  }

  WireReader reader_;
  std::size_t place_ = 0;  // Of the value of the last field so far.
  std::string name_;
  std::uint64_t type_ = 0;
  std::vector<std::uint64_t> extents_;
  std::uint64_t list_ = 0;  // The number of the field that has the elements.
  std::vector<std::uint64_t> values_;
  std::optional<std::span<const std::uint8_t>> raw_;
  bool is_segment_ = false;
  bool is_elsewhere_ = false;
};

}  // namespace

OnnxTensor read_onnx_tensor(WireReader reader) {
  return TensorParts(std::move(reader)).tensor();
}

}  // namespace ddx::io::detail
