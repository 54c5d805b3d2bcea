/// \file
/// Second derivatives of programs over tensors, against central differences of their gradients.

#pragma once

#include "ddx/ddx.h"

#include "tests/conformance/gradient_check.h"

#include <gtest/gtest.h>
#include <map>
#include <utility>
#include <vector>

namespace ddx::testing {

/// Checks the second derivatives of the programs of one operation on a device.
using SecondOrderCheck = std::function<void(Device)>;

/// A program is a function of a tensor of any real element type. `shape` and `domain` are those of
/// its argument.
struct ProgramArgument {
  Shape shape;
  ops::Domain domain = ops::Domain::Any;
};

// The arguments of functions of each element, by where they are defined or smooth.
inline const ProgramArgument any{{2, 3}};
inline const ProgramArgument positive{{2, 3}, ops::Domain::Positive};
inline const ProgramArgument away{{2, 3}, ops::Domain::AwayFromZero};
inline const ProgramArgument inside{{2, 3}, ops::Domain::InsideUnit};
inline const ProgramArgument above{{2, 3}, ops::Domain::AboveOne};
inline const ProgramArgument between{{2, 3}, ops::Domain::AwayFromIntegers};

/// A weighted sum of the result of a program.
template <class Program, class Scalar>
struct WeightedSum {
  Program program;
  Tensor<Scalar> weights;

  Tensor<Scalar> operator()(const Tensor<Scalar>& x) const { return sum(program(x) * weights); }
};

/// Compares the second derivatives of `loss` along a direction, as gradient of a tangent, as
/// gradient of a gradient and as tangent of a gradient, with `expected`.
template <class Scalar, class Loss>
void expect_second_derivatives(const Loss& loss, const Doubles& at, const Doubles& along,
                               const Doubles& expected, double tolerance) {
  const auto x = cast<Scalar>(at);
  const auto direction = cast<Scalar>(along);
  const double bound = tolerance * (1 + max(abs(expected)).item());
  const auto expect_close = [&](const Tensor<Scalar>& got, const char* how) {
    ASSERT_EQ(got.shape(), at.shape()) << how;
    EXPECT_LT(max(abs(cast<double>(got) - expected)).item(), bound) << how;
  };
  expect_close(hvp(loss, x, direction), "gradient of a tangent");
  const auto slope = [&loss, &direction](const Tensor<Scalar>& t) {
    return sum(gradient(loss, t) * direction);
  };
  expect_close(gradient(slope, x), "gradient of a gradient");
  const auto gradient_at = [&loss](const Tensor<Scalar>& t) { return gradient(loss, t); };
  expect_close(jvp(gradient_at, ddx::along(direction), x).tangent, "tangent of a gradient");
}

/// Checks a program in f64 and f32.
template <class Program>
void expect_second_order(const Program& program, const ProgramArgument& argument, Device device) {
  const Doubles x = random_tensor(argument.shape, 1, device, argument.domain);
  const Doubles direction = random_tensor(argument.shape, 2, device);
  const Doubles weights = random_tensor(program(x).shape(), 3, device);
  const WeightedSum<Program, double> loss{program, weights};
  constexpr double step = 1e-5;
  const Doubles ahead = gradient(loss, testing::along(x, step, direction));
  const Doubles behind = gradient(loss, testing::along(x, -step, direction));
  const Doubles expected = (ahead - behind) / (2 * step);
  expect_second_derivatives<double>(loss, x, direction, expected, 2e-6);
  expect_second_derivatives<float>(WeightedSum<Program, float>{program, cast<float>(weights)}, x,
                                   direction, expected, 2e-3);
}

/// The checks of several programs of an operation.
#define DDX_SECOND_ORDER(argument, ...)                                                \
  [](Device device) {                                                                  \
    SCOPED_TRACE(#__VA_ARGS__);                                                        \
    expect_second_order(                                                               \
        []<class Scalar>([[maybe_unused]] const Tensor<Scalar>& t) -> Tensor<Scalar> { \
          return __VA_ARGS__;                                                          \
        },                                                                             \
        argument, device);                                                             \
  }

using SecondOrderChecks = std::vector<std::pair<ops::Op, SecondOrderCheck>>;

[[nodiscard]] SecondOrderChecks unary_second_order();
[[nodiscard]] SecondOrderChecks binary_second_order();
[[nodiscard]] SecondOrderChecks structural_second_order();
[[nodiscard]] SecondOrderChecks layer_second_order();
[[nodiscard]] SecondOrderChecks linear_algebra_second_order();

}  // namespace ddx::testing
