// Second and third derivatives as users ask for them: of models, by several arguments, as matrices,
// against differences of derivatives of one order less, and by hand.

#include "ddx/ddx.h"

#include "tests/conformance/compiled/checks.h"
#include "tests/conformance/gradient_check.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace ddx::testing {
namespace {

/// A model moved against `direction`.
template <class Model, class Direction>
Model stepped(const Model& model, const Direction& direction, double step) {
  Model moved = model;
  nn::SGD<Model> against(moved, {.learning_rate = step});
  against.update(moved, direction);
  return moved;
}

/// Compares the product of the Hessian and the gradient, both by a model, with a difference of
/// gradients.
template <class Model, class Loss>
void expect_hvp(const Model& model, const Loss& loss, double step) {
  const auto direction = gradient(loss, model);
  const auto product = hvp(loss, model, direction);
  const auto along = [&](double by) {
    return detail::inner(gradient(loss, stepped(model, direction, by)), direction);
  };
  const double expected = (3 * along(0) - 4 * along(step) + along(2 * step)) / (2 * step);
  const double got = detail::inner(product, direction);
  EXPECT_NE(got, 0);
  EXPECT_NEAR(got, expected, 1e-5 * std::abs(expected));
}

const Tensor<std::int32_t> labels{1, 2};

TEST(SecondDerivatives, OfAConvolutionalModel) {
  const auto images = random_tensor({2, 28, 28, 1}, 1, Device());
  expect_hvp(
      models::LeNet<double>(),
      [&](const models::LeNet<double>& m) { return softmax_cross_entropy(m(images), labels); },
      1e-6);
}

TEST(SecondDerivatives, OfABatchNormalisedModelInTraining) {
  const auto images = random_tensor({2, 8, 8, 3}, 1, Device());
  models::ResidualNetwork<double> model({.blocks = 1, .width = 4});
  nn::begin_step(model, RandomKey(5));
  expect_hvp(
      model,
      [&](const models::ResidualNetwork<double>& m) {
        return softmax_cross_entropy(m(images), labels);
      },
      1e-6);
}

TEST(SecondDerivatives, OfATransformer) {
  const Tensor<std::int32_t> tokens({1, 4}, {3, 1, 4, 1});
  const Tensor<std::int32_t> next{1, 4, 1, 5};
  expect_hvp(
      models::GPT<double>({.vocabulary = 7, .context = 4, .blocks = 1, .features = 8, .heads = 2}),
      [&](const models::GPT<double>& m) {
        return softmax_cross_entropy(reshape(m(tokens), {4, 7}), next);
      },
      1e-7);
}

Doubles wave(const Doubles& x) {
  return sum(sin(x) * exp(x));
}

/// A recurrence over the elements of x, whose turns keep nothing but the carry.
Doubles recurrence(const Doubles& x) {
  const auto [last, all] = scan(
      [](const Doubles& carry, const Doubles& element) {
        return std::pair(carry * 0.5 + sin(element) * carry + element, carry * element);
      },
      zeros<double>({}, x.device()), x);
  return last + sum(all);
}

TEST(SecondDerivatives, RecordedCompiledAndMapped) {
  const Doubles x{0.3, 1.2, -0.4};
  const Doubles direction{1.0, -0.5, 2.0};
  const auto lazy = [](const Doubles& t) { return t.to(Device::lazy()); };
  const auto expect_close = [](const Doubles& got, const Doubles& expected) {
    EXPECT_LT(max(abs(got.to(Device()) - expected)).item(), 1e-12);
  };
  const Doubles of_wave = hvp(wave, x, direction);
  const Doubles of_recurrence = hvp(recurrence, x, direction);
  expect_second_derivatives([](const Doubles& t) { return recurrence(t); }, x);
  expect_close(hvp(wave, lazy(x), lazy(direction)), of_wave);
  expect_close(hvp(recurrence, lazy(x), lazy(direction)), of_recurrence);
  const auto compiled = compile([](const Doubles& at, const Doubles& along) {
    return std::pair(hvp(wave, at, along), hvp(recurrence, at, along));
  });
  for (int call = 0; call < 2; ++call) {
    const auto both = compiled(lazy(x), lazy(direction));
    expect_close(both.first, of_wave);
    expect_close(both.second, of_recurrence);
  }
  const auto mapped = vmap([](const Doubles& at, const Doubles& v) { return hvp(wave, at, v); });
  const auto rows = [](const Doubles& a, const Doubles& b) {
    return stack(std::vector<Doubles>{a, b});
  };
  expect_close(mapped(rows(x, direction), rows(direction, x)),
               rows(of_wave, hvp(wave, direction, x)));
}

struct Critic {
  nn::Dense<double> hidden{{.in = 2, .out = 5, .activation = nn::Activation::Tanh}};
  nn::Dense<double> score{{.in = 5, .out = 1}};

  Doubles operator()(const Doubles& x) const { return score(hidden(x)); }
  DDX_DIFFERENTIABLE(Critic, hidden, score)
};

/// The distance of the slopes of the critic, by the points that it judges, from 1.
Doubles penalty(const Critic& critic, const Doubles& points) {
  const auto total = [&critic](const Doubles& x) { return sum(critic(x)); };
  const auto slopes = gradient(total, points);
  return mean(square(norm(slopes, {.axes = {1}}) - 1.0));
}

TEST(SecondDerivatives, OfAGradientPenalty) {
  const Critic critic;
  const auto points = random_tensor({3, 2}, 1, Device());
  const auto loss = [&](const Critic& c) { return penalty(c, points); };
  const auto slope = gradient(loss, critic);
  constexpr double step = 1e-6;
  const double ahead = penalty(stepped(critic, slope, -0.0), points).item();
  const double behind = penalty(stepped(critic, slope, step), points).item();
  const double further = penalty(stepped(critic, slope, 2 * step), points).item();
  const double expected = (3 * ahead - 4 * behind + further) / (2 * step);
  EXPECT_NEAR(detail::inner(slope, slope), expected, 1e-6 * std::abs(expected));
}

Doubles product_of(const Doubles& x, const Doubles& y) {
  return sum(x * x * y);
}

/// 4 sum x^2 y^2 + sum x^2.
Doubles of_two_slopes(const Doubles& x, const Doubles& y) {
  const auto [dx, dy] = gradient(product_of, x, y);
  return sum(dx * dx) + sum(dy);
}

/// The same, asking in the other order.
Doubles of_two_slopes_exchanged(const Doubles& x, const Doubles& y) {
  const auto [dy, dx] = gradient(product_of, wrt<1, 0>, x, y);
  return sum(dx * dx) + sum(dy);
}

TEST(SecondDerivatives, BySeveralArguments) {
  const Doubles x{1, 2};
  const Doubles y{3, 4};
  const auto [dx, dy] = gradient(of_two_slopes, x, y);
  EXPECT_EQ(dx, 8.0 * x * y * y + 2.0 * x);
  EXPECT_EQ(dy, 8.0 * x * x * y);
  const auto [ex, ey] = gradient(of_two_slopes_exchanged, x, y);
  EXPECT_EQ(ex, dx);
  EXPECT_EQ(ey, dy);
  const auto tangent = jvp(of_two_slopes, ddx::along(x, y), x, y).tangent;
  EXPECT_NEAR(tangent.item(), inner(dx, x) + inner(dy, y), 1e-12);
}

Doubles curve(const Doubles& x) {
  return sum(sin(x) * exp(x) + matmul(reshape(x, {1, 2}), reshape(tanh(x), {2, 1})));
}
Doubles steepness(const Doubles& x) {
  return sum(square(gradient(curve, x)));
}
Doubles change_of_steepness(const Doubles& x) {
  return sum(square(gradient(steepness, x)));
}
Doubles curvature(const Doubles& x) {
  return sum(hvp(curve, x, x));
}

TEST(ThirdDerivatives, AgreeWithDifferencesOfSecondOnes) {
  const Doubles x{1, 2};
  expect_gradient_of([](const Doubles& t) { return change_of_steepness(t); }, x);
  expect_gradient_of([](const Doubles& t) { return curvature(t); }, x);
  expect_second_derivatives([](const Doubles& t) { return steepness(t); }, x);
}

Doubles two_rows(const Doubles& x) {
  return stack(std::vector<Doubles>{square(x), x * x[{0}]});
}

TEST(Matrices, OfDerivatives) {
  const Doubles x{2, 3};
  // By rows, as there are more elements in the argument, and by columns.
  EXPECT_EQ(jacobian([](const Doubles& t) { return t[{0}] * t; }, x), (Doubles{{4, 0}, {3, 2}}));
  EXPECT_EQ(jacobian([](const Doubles& t) { return sum(t * t); }, x), (Doubles{4, 6}));
  EXPECT_EQ(jacobian(two_rows, x), Doubles({2, 2, 2}, {4, 0, 0, 6, 4, 0, 3, 2}));
  EXPECT_EQ(hessian([](const Doubles& t) { return product(t) * t[{0}]; }, x),
            (Doubles{{6, 4}, {4, 0}}));
  EXPECT_EQ(jacobian([](const Doubles& t) { return square(t); }, zeros<double>({0})).shape(),
            (Shape{0, 0}));
}

}  // namespace
}  // namespace ddx::testing
