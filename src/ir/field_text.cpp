#include "ir/detail/field_text.h"

#include "ddx/core/random_key.h"
#include "ddx/ops/attributes.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace ddx::ir::detail {

std::string number_text(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

std::string field_text(ops::Literal value) {
  if (value.imaginary != 0 || std::signbit(value.imaginary)) {
    return "(" + number_text(value.real) + ", " + std::to_string(value.integer) + ", " +
           number_text(value.imaginary) + ")";
  }
  if (value.integer == 0) {
    return number_text(value.real);
  }
  if (value.real == static_cast<double>(value.integer)) {
    return std::to_string(value.integer) + "i";
  }
  return "(" + number_text(value.real) + ", " + std::to_string(value.integer) + ")";
}

std::string field_text(const RandomKey& key) {
  return "key(" + std::to_string(key.state()[0]) + ", " + std::to_string(key.state()[1]) + ")";
}

}  // namespace ddx::ir::detail
