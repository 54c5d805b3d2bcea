/// \file
/// What safetensors calls the element types.

#pragma once

#include "ddx/core/dtype.h"

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace ddx::io::detail {

/// The name of the remarks among the arrays of a header.
inline constexpr std::string_view metadata_name = "__metadata__";

/// The element types of ddx, in the order of their enumerators; empty where safetensors has no such
/// type.
/// Source:  safetensors, `safetensors/src/tensor.rs`, enum Dtype.
inline constexpr std::array<std::string_view, dtype_count> safetensors_names = {
    "F32", "F64", "I32", "I64", "U8",  "BOOL", "F16", "BF16",
    "I8",  "I16", "U16", "U32", "U64", "C64",  ""};

/// What safetensors calls an element type; empty where it has no such type.
[[nodiscard]] constexpr std::string_view safetensors_name(DType dtype) {
  return safetensors_names[static_cast<std::size_t>(dtype)];
}

/// The element type that safetensors calls `name`; none where ddx has no such type.
[[nodiscard]] constexpr std::optional<DType> dtype_named(std::string_view name) {
  for (std::size_t i = 0; i < dtype_count; ++i) {
    if (!name.empty() && safetensors_names[i] == name) {
      return static_cast<DType>(i);
    }
  }
  return std::nullopt;
}

static_assert(safetensors_name(DType::f64) == "F64" && safetensors_name(DType::u8) == "U8" &&
              safetensors_name(DType::boolean) == "BOOL" &&
              safetensors_name(DType::bf16) == "BF16" && safetensors_name(DType::u64) == "U64");

}  // namespace ddx::io::detail
