/// \file
/// What TensorFlow calls the element types.

#pragma once

#include "ddx/core/dtype.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ddx::io::detail {

/// A value of TensorFlow's DataType, and the text of its namesake here; empty where there can be
/// none.
struct TensorflowType {
  std::uint64_t number;
  std::string_view name;
  std::string_view text;
};

/// Source:  TensorFlow, `core/framework/types.proto`.
inline constexpr auto tensorflow_types = std::to_array<TensorflowType>({
    {1, "DT_FLOAT", "f32"},
    {2, "DT_DOUBLE", "f64"},
    {3, "DT_INT32", "i32"},
    {4, "DT_UINT8", "u8"},
    {5, "DT_INT16", "i16"},
    {6, "DT_INT8", "i8"},
    {7, "DT_STRING", ""},
    {8, "DT_COMPLEX64", ""},
    {9, "DT_INT64", "i64"},
    {10, "DT_BOOL", "bool"},
    {14, "DT_BFLOAT16", "bf16"},
    {17, "DT_UINT16", "u16"},
    {18, "DT_COMPLEX128", ""},
    {19, "DT_HALF", "f16"},
    {20, "DT_RESOURCE", ""},
    {21, "DT_VARIANT", ""},
    {22, "DT_UINT32", "u32"},
    {23, "DT_UINT64", "u64"},
});

/// What TensorFlow calls the type of a number: "DT_FLOAT", "DataType 99".
[[nodiscard]] inline std::string tensorflow_name(std::uint64_t number) {
  for (const auto& type : tensorflow_types) {
    if (type.number == number) {
      return std::string(type.name);
    }
  }
  return "DataType " + std::to_string(number);
}

/// The element type of a number; none where ddx has no such type.
[[nodiscard]] constexpr std::optional<DType> dtype_of_tensorflow(std::uint64_t number) {
  for (const auto& type : tensorflow_types) {
    for (const auto& row : dtype_table) {
      if (type.number == number && row.text == type.text) {
        return row.dtype;
      }
    }
  }
  return std::nullopt;
}

static_assert(dtype_of_tensorflow(1) == DType::f32 && dtype_of_tensorflow(10) == DType::boolean &&
              !dtype_of_tensorflow(7));

}  // namespace ddx::io::detail
