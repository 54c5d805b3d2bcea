// The programs of docs/guide/first_gradient.md. The regions between [name] and [/name] are shown
// there, word for word; the expectations are worked out by hand in the comments beside them.

#include "ddx/ddx.h"

#include "expect.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <tuple>
#include <vector>

namespace {

using ddx::testing::expect_close;

// [slope]
double f(double x) {
  double y = 1;
  while (y < 100) {
    y = y * x + std::sin(x);
  }
  return y;
}
// [/slope]

void slope() {
  // [slope_call]
  auto [value, slope] = ddx::value_with_gradient(f, 3.0);
  // [/slope_call]
  // The loop body runs k times until y >= 100: y_k = 3^k + s (3^k - 1) / 2, s = sin 3; at k = 5 the
  // value passes 100. d/dx: y' <- y' x + y + cos x, iterated from y' = 0.
  double y = 1, dy = 0;
  while (y < 100) {
    dy = dy * 3 + y + std::cos(3.0);
    y = y * 3 + std::sin(3.0);
  }
  expect_close("slope: value", value, y);
  expect_close("slope: slope", slope, dy);
}

void several() {
  // [several]
  auto area = [](double width, double height) { return width * height; };

  auto [by_width, by_height] = ddx::gradient(area, 2.0, 5.0);           // 5 and 2
  double by_height_alone = ddx::gradient(area, ddx::wrt<1>, 2.0, 5.0);  // 2
  // [/several]
  expect_close("several: width", by_width, 5);
  expect_close("several: height", by_height, 2);
  expect_close("several: wrt", by_height_alone, 2);
}

// [vector]
double mean_square(const std::vector<double>& values) {
  double sum = 0;
  for (double value : values) {
    sum += value * value;
  }
  return sum / static_cast<double>(values.size());
}
// [/vector]

void vectors() {
  // [vector_call]
  std::vector<double> slope = ddx::gradient(mean_square, std::vector{1.0, 2.0, 4.0});
  // slope[i] is 2 * values[i] / 3
  // [/vector_call]
  const std::array expected = {2.0 / 3, 4.0 / 3, 8.0 / 3};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    expect_close("vector", slope[i], expected[i]);
  }
}

// [struct]
struct Spring {
  double stiffness = 0;
  double length = 0;
  int id = 0;

  double energy(double stretched_to) const {
    const double stretch = stretched_to - length;
    return stiffness * stretch * stretch / 2;
  }

  DDX_DIFFERENTIABLE(Spring, stiffness, length)
  DDX_NO_DERIVATIVE(id)
};
// [/struct]

void structs() {
  // [struct_call]
  auto energy = [](const Spring& spring) { return spring.energy(1.5); };
  Spring::TangentVector slope = ddx::gradient(energy, Spring{.stiffness = 4, .length = 1, .id = 7});
  // slope.stiffness is 0.5 * 0.5 / 2, slope.length is -4 * 0.5
  // [/struct_call]
  expect_close("struct: stiffness", slope.stiffness, 0.125);
  expect_close("struct: length", slope.length, -2);
}

void pullbacks() {
  // [pullback]
  auto polar = [](double radius, double angle) {
    return std::array{radius * std::cos(angle), radius * std::sin(angle)};
  };
  auto [point, pullback] = ddx::value_with_pullback(polar, 2.0, 0.0);

  auto [x_by_radius, x_by_angle] = pullback(std::array{1.0, 0.0});  // 1 and 0
  auto [y_by_radius, y_by_angle] = pullback(std::array{0.0, 1.0});  // 0 and 2
  // [/pullback]
  expect_close("pullback: x", point[0], 2);
  expect_close("pullback: y", point[1], 0);
  expect_close("pullback: x by radius", x_by_radius, 1);
  expect_close("pullback: x by angle", x_by_angle, 0);
  expect_close("pullback: y by radius", y_by_radius, 0);
  expect_close("pullback: y by angle", y_by_angle, 2);
}

// [custom]
double log1p_exp(double x) {
  return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}

DDX_DERIVATIVE_OF(log1p_exp)
auto log1p_exp_vjp(double x) {
  return ddx::vjp(log1p_exp(x), [x](double dy) { return dy / (1 + std::exp(-x)); });
}
// [/custom]

void custom() {
  // [custom_call]
  double slope = ddx::gradient([](double x) { return 3 * log1p_exp(x); }, 0.0);  // 3 / 2
  // [/custom_call]
  expect_close("custom", slope, 1.5);
}

void constant() {
  // [without_derivative]
  auto scaled = [](double x) { return x / ddx::without_derivative(std::abs(x)); };
  double slope = ddx::gradient(scaled, -2.0);  // 1 / 2: the divisor counts as a constant
  // [/without_derivative]
  expect_close("without_derivative", slope, 0.5);
}

}  // namespace

int main() {
  slope();
  several();
  vectors();
  structs();
  pullbacks();
  custom();
  constant();
}
