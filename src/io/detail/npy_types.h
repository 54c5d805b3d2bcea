/// \file
/// What NumPy calls the element types.

#pragma once

#include "ddx/core/dtype.h"

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace ddx::io::detail {

/// NumPy's letter and size of an element type, and its text here.
inline constexpr auto npy_types = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"f2", "f16"},
    {"f4", "f32"},
    {"f8", "f64"},
    {"i1", "i8"},
    {"i2", "i16"},
    {"i4", "i32"},
    {"i8", "i64"},
    {"u1", "u8"},
    {"u2", "u16"},
    {"u4", "u32"},
    {"u8", "u64"},
    {"b1", "bool"},
    {"c8", "c64"},
    {"c16", "c128"},
});

/// The element type of ddx with this text; none where it has no such type.
[[nodiscard]] constexpr std::optional<DType> dtype_of_text(std::string_view text) {
  for (const auto& row : dtype_table) {
    if (row.text == text) {
      return row.dtype;
    }
  }
  return std::nullopt;
}

/// The element type that NumPy calls `name`, such as "f4"; none where ddx has no such type.
[[nodiscard]] constexpr std::optional<DType> dtype_of_npy(std::string_view name) {
  for (const auto& [numpy, text] : npy_types) {
    if (numpy == name) {
      return dtype_of_text(text);
    }
  }
  return std::nullopt;
}

/// What NumPy calls an element type; none where it has no such type.
[[nodiscard]] constexpr std::optional<std::string_view> npy_name(DType dtype) {
  for (const auto& [numpy, text] : npy_types) {
    if (text == to_string(dtype)) {
      return numpy;
    }
  }
  return std::nullopt;
}

static_assert(npy_name(DType::f64) == "f8" && npy_name(DType::boolean) == "b1");
static_assert(dtype_of_npy("u1") == DType::u8 && !dtype_of_npy("g16"));

}  // namespace ddx::io::detail
