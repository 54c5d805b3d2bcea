/// \file
/// Fields of attributes as text.

#pragma once

#include "ddx/core/random_key.h"
#include "ddx/ops/attributes.h"

#include <array>
#include <concepts>
#include <cstddef>
#include <string>

namespace ddx::ir::detail {

/// The shortest digits that read as the same number.
[[nodiscard]] std::string number_text(double value);

[[nodiscard]] std::string field_text(ops::Literal value);
[[nodiscard]] std::string field_text(const RandomKey& key);
[[nodiscard]] inline std::string field_text(bool value) {
  return value ? "true" : "false";
}
[[nodiscard]] inline std::string field_text(double value) {
  return number_text(value);
}
template <std::integral Integer>
[[nodiscard]] std::string field_text(Integer value) {
  return std::to_string(value);
}

/// The list up to its last element that differs from the default; empty if there is none.
template <class Element, std::size_t n>
[[nodiscard]] std::string list_text(const std::array<Element, n>& list,
                                    const std::array<Element, n>& usual) {
  std::size_t length = n;
  while (length > 0 && list[length - 1] == usual[length - 1]) {
    --length;
  }
  std::string text;
  for (std::size_t i = 0; i < length; ++i) {
    text += (i == 0 ? "[" : ", ") + field_text(list[i]);
  }
  return length == 0 ? text : text + "]";
}

}  // namespace ddx::ir::detail
