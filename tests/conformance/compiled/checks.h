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
void expect_gradient_of(F f, const Doubles& x) {
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
void expect_tangent_of(F f, const Doubles& x) {
  const Doubles direction = random_tensor(x.shape(), 5, x.device());
  constexpr double step = 1e-5;
  const Doubles differences =
      (f(along(x, step, direction)) - f(along(x, -step, direction))) / (2 * step);
  const auto [value, tangent] = jvp(f, ddx::along(direction), x);
  EXPECT_EQ(value, f(x));
  ASSERT_EQ(tangent.shape(), differences.shape());
  EXPECT_LT(max(abs(tangent - differences)).item(), 1e-6 * (1 + max(abs(tangent)).item()));
}

/// Compares the second derivatives of a weighted sum of f, a function of a tensor with a tensor as
/// result, with central differences of its gradient at x: as gradient of a tangent, as gradient and
/// as tangent of a gradient.
template <class F>
void expect_second_derivatives(F f, const Doubles& x) {
  const Doubles weights = random_tensor(f(x).shape(), 6, x.device());
  const Doubles direction = random_tensor(x.shape(), 5, x.device());
  const auto loss = [&f, &weights](const Doubles& t) { return sum(f(t) * weights); };
  constexpr double step = 1e-5;
  const Doubles ahead = gradient(loss, testing::along(x, step, direction));
  const Doubles behind = gradient(loss, testing::along(x, -step, direction));
  const Doubles differences = (ahead - behind) / (2 * step);
  const double bound = 1e-6 * (1 + max(abs(differences)).item());
  const auto expect_close = [&](const Doubles& got, const char* how) {
    ASSERT_EQ(got.shape(), x.shape()) << how;
    EXPECT_LT(max(abs(got - differences)).item(), bound) << how;
  };
  expect_close(hvp(loss, x, direction), "hvp");
  const auto slope = [&loss, &direction](const Doubles& t) {
    return sum(gradient(loss, t) * direction);
  };
  expect_close(gradient(slope, x), "gradient of a gradient");
  const auto gradient_at = [&loss](const Doubles& t) { return gradient(loss, t); };
  expect_close(jvp(gradient_at, ddx::along(direction), x).tangent, "tangent of a gradient");
}

/// Compares gradient and second derivatives of f, a function of a tensor with a number as result,
/// with central differences at x.
template <class F>
void expect_compiled(F f, const Doubles& x) {
  expect_gradient_of(f, x);
  expect_second_derivatives(f, x);
}

/// The same for the tangent of a function with a tensor as result.
template <class F>
void expect_tangent(F f, const Doubles& x) {
  expect_tangent_of(f, x);
  expect_second_derivatives(f, x);
}

/// Both, for a function with a tensor as result: the gradient is that of a weighted sum.
template <class F>
void expect_derivatives(F f, const Doubles& x) {
  expect_tangent_of(f, x);
  const Doubles weights = random_tensor(f(x).shape(), 6, x.device());
  expect_gradient_of([&f, &weights](const Doubles& t) { return sum(f(t) * weights); }, x);
  expect_second_derivatives(f, x);
}

}  // namespace ddx::testing
