#include "ddx/nn/schedules/piecewise_constant.h"

#include "tests/support/recorded_schedule.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace piecewise_constant_test {

using ddx::testing::expect_recorded_rates;
using ddx::testing::expect_refused;

TEST(PiecewiseConstant, FollowsPyTorch) {
  expect_recorded_rates(
      "piecewise",
      PiecewiseConstant({.boundaries = {3, 4, 9}, .values = {0.5, 0.25, 0.125, 0.0625}}),
      "PiecewiseConstant");
}

TEST(PiecewiseConstant, ImpossibleOptionsAreAnError) {
  expect_refused<PiecewiseConstant>(
      PiecewiseConstantOptions{.boundaries = {3}, .values = {1}},
      "PiecewiseConstant: 1 values and 1 boundaries, expected one value more than boundaries");
  expect_refused<PiecewiseConstant>(
      PiecewiseConstantOptions{.boundaries = {3, 3}, .values = {1, 2, 3}},
      "PiecewiseConstant: boundaries 3 and 3 do not ascend");
  expect_refused<PiecewiseConstant>(
      PiecewiseConstantOptions{.boundaries = {}, .values = {-0.5}},
      "PiecewiseConstant: value is -0.5, expected a finite number of at least 0");
}

}  // namespace piecewise_constant_test
}  // namespace ddx::nn
