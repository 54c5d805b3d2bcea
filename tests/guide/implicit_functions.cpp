// The programs of docs/guide/implicit_functions.md. The regions between [name] and [/name] are
// shown there, word for word; the expectations are worked out by hand in the comments beside them.

#include "ddx/ddx.h"

#include "expect.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace {

using ddx::testing::expect_close;

// [kepler]
double solved_by_newton(double mean, double eccentricity) {
  double x = mean;
  for (int k = 0; k < 50; ++k) {
    x -= (x - eccentricity * std::sin(x) - mean) / (1 - eccentricity * std::cos(x));
  }
  return x;
}

double anomaly(double mean, double eccentricity) {
  auto equation = [](double x, double m, double e) { return x - e * std::sin(x) - m; };
  double found = ddx::without_derivative(solved_by_newton(mean, eccentricity));
  return ddx::implicit(equation, found, mean, eccentricity);
}
// [/kepler]

void kepler() {
  // [kepler_call]
  auto [by_mean, by_eccentricity] = ddx::gradient(anomaly, 1.1, 0.6);
  // [/kepler_call]
  const double x = anomaly(1.1, 0.6);
  expect_close("kepler: by mean", by_mean, 1 / (1 - 0.6 * std::cos(x)));
  expect_close("kepler: by e", by_eccentricity, std::sin(x) / (1 - 0.6 * std::cos(x)));
}

void system() {
  // [system]
  auto corner = [](double radius, double slope) {
    const double x = radius / std::sqrt(1 + slope * slope);
    auto found = ddx::without_derivative(std::array{x, slope * x});
    return ddx::implicit(
        [](const std::array<double, 2>& p, double r, double s) {
          return std::array{p[0] * p[0] + p[1] * p[1] - r * r, p[1] - s * p[0]};
        },
        found, radius, slope);
  };
  auto j = ddx::jacobian(corner, 5.0, 0.75);
  // [/system]
  expect_close("system: x by r", j(0, 0), 0.8);  // 1 / sqrt(1 + s^2)
  expect_close("system: y by r", j(1, 0), 0.6);
  expect_close("system: x by s", j(0, 1), -5 * 0.75 * 0.8 * 0.8 * 0.8);  // -r s / (1 + s^2)^(3/2)
}

void fixed_point() {
  // [fixed_point]
  auto root = [](double a) {
    return ddx::fixed_point([](double x, double b) { return (x + b / x) / 2; }, 1.0, a);
  };
  auto [value, slope] = ddx::value_with_derivative(root, 9.0);
  // [/fixed_point]
  expect_close("fixed point: value", value, 3);
  expect_close("fixed point: slope", slope, 1.0 / 6);
}

void errors() {
  // [errors]
  std::string message;
  try {
    (void)ddx::implicit([](double x, double a) { return x * x - a; }, 2.0, 4.5);
  } catch (const ddx::UsageError& error) {
    message = error.what();  // implicit: no solution: residual 0 is 0.5, tolerance 1e-08
  }
  // [/errors]
  expect_close("errors", message == "implicit: no solution: residual 0 is 0.5, tolerance 1e-08", 1);
}

}  // namespace

int main() {
  kepler();
  system();
  fixed_point();
  errors();
}
