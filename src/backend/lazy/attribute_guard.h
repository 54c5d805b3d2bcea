/// \file
/// Which numbers among attributes a recorded operation takes at the run, and whether another
/// operation's attributes are the same except for these.

#pragma once

#include "ddx/ir/scalars.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/literal.h"

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

namespace ddx::backend::lazy {

/// Attributes of which some run-time fields are given at the run. Those are as by default here, so
/// that guards of operations which differ in them alone are equal.
struct AttributeGuard {
  ops::Attributes attributes;
  std::uint8_t scalars = 0;  ///< Bit i: run-time field i, in their order, is given at the run.
};

/// Whether two numbers are equal to the bit.
[[nodiscard]] inline bool is_same(double a, double b) noexcept {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
[[nodiscard]] inline bool is_same(const ops::Literal& a, const ops::Literal& b) noexcept {
  return is_same(a.real, b.real) && a.integer == b.integer && is_same(a.imaginary, b.imaginary);
}

/// Whether rewrites can make use of a number's value, so that it is worth a graph of its own.
[[nodiscard]] inline bool is_baked(const ops::Literal& number) noexcept {
  const double real = number.real;
  const bool is_useful = is_same(real, 0) || real == 1 || real == -1 || real == 2 || real == 0.5;
  return is_useful && is_same(number.imaginary, 0) &&
         (number.integer == 0 || static_cast<double>(number.integer) == real);
}

/// The scalar that a number represents; none where it is baked.
[[nodiscard]] inline std::optional<ir::ScalarValue> scalar_of(const ops::Literal& number) {
  return is_baked(number) ? std::nullopt : std::optional<ir::ScalarValue>(number);
}

/// The guard of attributes. What they give at the run is appended to `scalars`.
[[nodiscard]] AttributeGuard guard_of(ops::Attributes attributes,
                                      std::vector<ir::ScalarValue>& scalars);

/// Whether the struct of an operation's attributes passes the guard. What it gives at the run is
/// appended to `scalars`, some of it even where it does not pass.
[[nodiscard]] bool passes(const AttributeGuard& guard, const void* kernel_attributes,
                          std::vector<ir::ScalarValue>& scalars);

}  // namespace ddx::backend::lazy
