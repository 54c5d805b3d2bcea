/// \file
/// Derivatives that the compiler makes of programs over tensors, against central differences.

#pragma once

#include "ddx/ddx.h"

#include "tests/conformance/gradient_check.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ddx::testing {

/// Compares ddx::gradient of f, a function of a tensor with a number as result, with central
/// differences at x.
template <class F>
void expect_compiled(F f, const Doubles& x) {
  const Doubles direction = random_tensor(x.shape(), 5, x.device());
  constexpr double step = 1e-5;
  const double ahead = f(along(x, step, direction)).item();
  const double behind = f(along(x, -step, direction)).item();
  const auto [value, gradient] = value_with_gradient(f, x);
  EXPECT_EQ(value, f(x));
  EXPECT_EQ(gradient.shape(), x.shape());
  const double expected = (ahead - behind) / (2 * step);
  EXPECT_NEAR(inner(gradient, direction), expected, 1e-6 * (1 + std::abs(expected)));
}

/// Compares the tangent of f, a function of a tensor with a tensor as result, with central
/// differences at x, element by element.
template <class F>
void expect_tangent(F f, const Doubles& x) {
  const Doubles direction = random_tensor(x.shape(), 5, x.device());
  constexpr double step = 1e-5;
  const Doubles differences =
      (f(along(x, step, direction)) - f(along(x, -step, direction))) / (2 * step);
  const auto [value, tangent] = jvp(f, ddx::along(direction), x);
  EXPECT_EQ(value, f(x));
  ASSERT_EQ(tangent.shape(), differences.shape());
  EXPECT_LT(max(abs(tangent - differences)).item(), 1e-6 * (1 + max(abs(tangent)).item()));
}

/// Both, for a function of a tensor with a tensor as result: the tangent, and the gradient of a
/// weighted sum.
template <class F>
void expect_derivatives(F f, const Doubles& x) {
  expect_tangent(f, x);
  const Doubles weights = random_tensor(f(x).shape(), 6, x.device());
  expect_compiled([&f, &weights](const Doubles& t) { return sum(f(t) * weights); }, x);
}

}  // namespace ddx::testing
