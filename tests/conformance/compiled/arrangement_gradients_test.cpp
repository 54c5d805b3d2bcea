// Functions that arrange elements, differentiated by the compiler in both modes, against central
// differences: those composed of others, and those with several results.

#include "ddx/ddx.h"

#include "tests/conformance/gradient_check.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace ddx::testing {
namespace {

using Ints = Tensor<std::int32_t>;

/// Compares ddx::gradient and ddx::differential of the sum of weighted squares of f with central
/// differences at a random matrix.
template <class F>
void expect_derivatives(F f, const Shape& shape = {3, 4}) {
  const Doubles x = random_tensor(shape, 1, Device());
  const Doubles direction = random_tensor(shape, 5, Device());
  const auto loss = [f](const Doubles& t) {
    const auto y = f(t);
    return sum(square(y) * (iota<double>(static_cast<std::int64_t>(y.count())) + 1.0));
  };
  constexpr double step = 1e-5;
  const double expected =
      (loss(along(x, step, direction)).item() - loss(along(x, -step, direction)).item()) /
      (2 * step);
  EXPECT_NEAR(inner(gradient(loss, x), direction), expected, 1e-6 * (1 + std::abs(expected)));
  const auto [value, tangent] = jvp(loss, ddx::along(direction), x);
  EXPECT_NEAR(tangent.item(), expected, 1e-6 * (1 + std::abs(expected)));
}

TEST(ArrangementGradients, Axes) {
  expect_derivatives([](const Doubles& t) { return flatten(t); });
  expect_derivatives([](const Doubles& t) { return flatten(expand_dims(t, 1) * t); });
  expect_derivatives([](const Doubles& t) { return flatten(squeeze(expand_dims(t, -1))); });
  expect_derivatives([](const Doubles& t) { return flatten(move_axis(t, 0, 1)); });
  expect_derivatives([](const Doubles& t) { return flatten(reverse(t, {0}) * t); });
}

TEST(ArrangementGradients, PartsAndCopies) {
  expect_derivatives(
      [](const Doubles& t) { return flatten(stack(std::vector<Doubles>{t, t * t, sin(t)}, 1)); });
  expect_derivatives([](const Doubles& t) {
    const auto rows = unstack(t);
    return rows[0] * rows[2];
  });
  expect_derivatives([](const Doubles& t) {
    const auto parts = split(t, {1, 3}, 1);
    return flatten(parts[0] * parts[1]);
  });
  expect_derivatives([](const Doubles& t) { return flatten(split_equally(t, 2, -1)[1]); });
  expect_derivatives([](const Doubles& t) { return flatten(tile(t, {2, 3})); });
  expect_derivatives([](const Doubles& t) { return flatten(repeat(t, 3, 0)); });
  expect_derivatives(
      [](const Doubles& t) { return flatten(pad_with(t, {2, 1}, {0, 2}, PadMode::Reflect)); });
}

TEST(ArrangementGradients, PlacesByIndex) {
  expect_derivatives(
      [](const Doubles& t) { return flatten(take_along_axis(t, Ints{{0, 3}, {1, 1}, {2, 0}})); });
  expect_derivatives(
      [](const Doubles& t) { return flatten(batch_gather(t, Ints{{0, 3}, {1, 1}, {2, 0}})); });
  expect_derivatives(
      [](const Doubles& t) { return flatten(scatter_add(t, Ints{1, 1, 0}, t * t)); });
  expect_derivatives([](const Doubles& t) { return flatten(segment_sum(t, Ints{2, 0, 2}, 3)); });
  expect_derivatives([](const Doubles& t) {
    return flatten(update_slice(t * t, slice(t, {.stop = {2, 2}}), {.start = {1, 2}}));
  });
  expect_derivatives([](const Doubles& t) { return boolean_mask(t, greater(t, 0.0)); });
}

TEST(ArrangementGradients, Order) {
  expect_derivatives([](const Doubles& t) { return flatten(sort(t)); });
  expect_derivatives([](const Doubles& t) { return flatten(sort(t, {.axis = 0})); });
  expect_derivatives([](const Doubles& t) { return flatten(top_k(t, 2).values); });
  expect_derivatives([](const Doubles& t) { return median(t); });
  expect_derivatives([](const Doubles& t) { return median(t, 0); });
}

TEST(ArrangementGradients, DiagonalsAndRanges) {
  expect_derivatives([](const Doubles& t) { return diagonal_part(t); });
  expect_derivatives([](const Doubles& t) { return flatten(diagonal(t)); });
  expect_derivatives([](const Doubles& t) { return flatten(band_part(t, 1, 0)); });
  expect_derivatives([](const Doubles& t) { return reshape(trace(t), {1}); });
  expect_derivatives(
      [](const Doubles& t) {
        return flatten(with_diagonal(reshape(t, {3, 2, 2}), slice(t, {.stop = {3, 2}})));
      },
      {3, 4});
  EXPECT_NEAR(gradient([](double stop) { return sum(square(linspace(0.0, stop, 3))).item(); }, 2.0),
              2 * 2.0 * (0.25 + 1), 1e-12);
}

}  // namespace
}  // namespace ddx::testing
