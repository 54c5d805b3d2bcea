// Elements that `select` excludes contribute nothing to derivatives, also where the derivative of
// what computes them is infinite or NaN. What is not excluded keeps its infinities and NaN.

#include "ddx/ddx.h"

#include "tests/conformance/xla_device.h"

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

namespace ddx::testing {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// A function with a singular point, a regular one, and its derivatives there, by hand.
struct Case {
  const char* name;
  double singular;
  double regular;
  double slope;
  double curvature;
};

template <class Scalar>
std::vector<Scalar> elements_of(const Tensor<Scalar>& x) {
  const auto elements = x.elements();
  return {elements.begin(), elements.end()};
}

template <class Scalar>
void expect_elements(const Tensor<Scalar>& got, const std::vector<double>& expected,
                     const char* what) {
  ASSERT_EQ(got.count(), static_cast<std::int64_t>(expected.size())) << what;
  const std::vector<Scalar> elements = elements_of(got);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double bound = (sizeof(Scalar) == 4 ? 4e-6 : 1e-13) * (1 + std::abs(expected[i]));
    EXPECT_NEAR(static_cast<double>(elements[i]), expected[i], bound) << what << ", element " << i;
  }
}

/// The derivatives of `loss`, whose first element is excluded and whose second is not.
template <class Scalar, class Loss>
void expect_excluded(const Loss& loss, const Case& c, Device device) {
  const Tensor<Scalar> x =
      Tensor<Scalar>({static_cast<Scalar>(c.singular), static_cast<Scalar>(c.regular)}).to(device);
  const auto ones = ddx::ones<Scalar>({2}, device);
  const auto gradient_at = [&loss](const Tensor<Scalar>& t) { return gradient(loss, t); };
  expect_elements(gradient_at(x), {0, c.slope}, "gradient");
  expect_elements(compile(gradient_at)(x), {0, c.slope}, "recorded gradient");
  expect_elements(jvp(loss, along(ones), x).tangent, {c.slope}, "jvp");
  expect_elements(hvp(loss, x, ones), {0, c.curvature}, "gradient of a tangent");
  const auto slope = [&loss](const Tensor<Scalar>& t) { return sum(gradient(loss, t)); };
  expect_elements(gradient(slope, x), {0, c.curvature}, "gradient of a gradient");
  expect_elements(jvp(gradient_at, along(ones), x).tangent, {0, c.curvature},
                  "tangent of a gradient");
}

/// The same with the function in either branch, and at a NaN.
template <class Scalar, class Function>
void expect_excluded_in_branches(const Function& f, const Case& c, Device device) {
  const Tensor<bool> mask = Tensor<bool>({false, true}).to(device);
  const auto taken = [&](const Tensor<Scalar>& t) { return sum(select(mask, f(t), Scalar{0})); };
  expect_excluded<Scalar>(taken, c, device);
  const auto left = [&](const Tensor<Scalar>& t) {
    return sum(select(logical_not(mask), Scalar{1}, f(t)));
  };
  expect_excluded<Scalar>(left, c, device);
  const Case at_nan{c.name, not_a_number, c.regular, c.slope, c.curvature};
  expect_excluded<Scalar>(taken, at_nan, device);
}

std::vector<Device> all_devices() {
  return {Device::naive(), Device::cpu(), Device::lazy(), xla_device()};
}

/// Checks a program of a tensor `t` of `Scalar` on every device.
#define EXPECT_EXCLUDED(singular, regular, slope, curvature, ...)                     \
  do {                                                                                \
    const Case c{#__VA_ARGS__, singular, regular, slope, curvature};                  \
    const auto f = []<class Scalar>(const Tensor<Scalar>& t) { return __VA_ARGS__; }; \
    for (const Device device : all_devices()) {                                       \
      SCOPED_TRACE(std::string(c.name) + " on " + to_string(device));                 \
      expect_excluded_in_branches<double>(f, c, device);                              \
      expect_excluded_in_branches<float>(f, c, device);                               \
    }                                                                                 \
  } while (false)

TEST(ExcludedElements, OfRootsAndPowers) {
  EXPECT_EXCLUDED(0, 4, 0.25, -1.0 / 32, sqrt(t));
  EXPECT_EXCLUDED(0, 4, -1.0 / 16, 3.0 / 128, rsqrt(t));
  EXPECT_EXCLUDED(0, 4, 0.25, -1.0 / 32, pow(t, Scalar{0.5}));
  EXPECT_EXCLUDED(0, 8, 1.0 / 12, -1.0 / 144, root(t, 3));
  EXPECT_EXCLUDED(0, 2, -0.25, 0.25, reciprocal(t));
}

TEST(ExcludedElements, OfQuotientsAndProducts) {
  EXPECT_EXCLUDED(0, 2, -0.25, 0.25, Scalar{1} / t);
  EXPECT_EXCLUDED(0, 2, -0.25, 0.25, (t + Scalar{1}) / t);
  EXPECT_EXCLUDED(0, 2, 1, 0, t * (t / t));
  EXPECT_EXCLUDED(infinity, 2, 4, 2, t * t);
}

TEST(ExcludedElements, OfLogarithmsAndExponentials) {
  EXPECT_EXCLUDED(0, 4, 0.25, -1.0 / 16, log(t));
  EXPECT_EXCLUDED(-1, 3, 0.25, -1.0 / 16, log1p(t));
  EXPECT_EXCLUDED(0, 4, 0.25 / std::numbers::ln2, -1.0 / 16 / std::numbers::ln2, log2(t));
  EXPECT_EXCLUDED(1000, 0, 1, 1, exp(t));
  EXPECT_EXCLUDED(1000, 0, 1, 1, expm1(t));
}

TEST(ExcludedElements, OfInverseFunctions) {
  EXPECT_EXCLUDED(1, 0.6, 1.25, 1.171875, asin(t));
  EXPECT_EXCLUDED(1, 0.6, -1.25, -1.171875, acos(t));
  EXPECT_EXCLUDED(1, 0.6, 1.5625, 2.9296875, atanh(t));
  EXPECT_EXCLUDED(1, 1.25, 4.0 / 3, -80.0 / 27, acosh(t));
}

TEST(ExcludedElements, OfFunctionsOfFunctions) {
  // e^sqrt(t) at 4: e^2 / 4, and e^2 (1/16 - 1/32).
  EXPECT_EXCLUDED(0, 4, std::numbers::e * std::numbers::e / 4,
                  std::numbers::e * std::numbers::e / 32, exp(sqrt(t)));
  EXPECT_EXCLUDED(0, 4, 0.125, -1.0 / 32, log(sqrt(t)));
  // t^(3/2) at 4: 3/2 * 2, and 3/4 / 2.
  EXPECT_EXCLUDED(0, 4, 3, 0.375, t * t / sqrt(t));
}

TEST(ExcludedElements, OfActivations) {
  EXPECT_EXCLUDED(infinity, 0, 1, 0, tanh(t));
  EXPECT_EXCLUDED(infinity, 0, 0.25, 0, sigmoid(t));
  EXPECT_EXCLUDED(infinity, 0, 0.5, 2 / std::sqrt(2 * std::numbers::pi), gelu(t));
  EXPECT_EXCLUDED(infinity, 0, 0.5, std::sqrt(2 / std::numbers::pi), gelu_tanh(t));
  EXPECT_EXCLUDED(infinity, 0, 0.5, 0.5, silu(t));
  EXPECT_EXCLUDED(infinity, 0, 0.5, 0.25, softplus(t));
}

// The first row is excluded.
TEST(ExcludedElements, OfRows) {
  const Tensor<double> rows{{not_a_number, 1}, {3, 4}};
  const auto expect_rows = [&](const auto& f, const std::vector<double>& expected) {
    for (const Device device : all_devices()) {
      SCOPED_TRACE(to_string(device));
      const auto mask = Tensor<bool>({false, true}).to(device);
      const auto loss = [&](const Tensor<double>& x) { return sum(select(mask, f(x), 0.0)); };
      expect_elements(gradient(loss, rows.to(device)), expected, "gradient");
    }
  };
  expect_rows([](const auto& x) { return norm(x, {.axes = {1}}); }, {0, 0, 0.6, 0.8});
  expect_rows([](const auto& x) { return product(x, {.axes = {1}}); }, {0, 0, 4, 3});
  expect_rows([](const auto& x) { return max(x, {.axes = {1}}); }, {0, 0, 0, 1});
  expect_rows([](const auto& x) { return variance(x, {.axes = {1}}); }, {0, 0, -0.5, 0.5});
  expect_rows([](const auto& x) { return standard_deviation(x, {.axes = {1}}); },
              {0, 0, -0.5, 0.5});
  const double share = 1 / (1 + std::numbers::e);
  expect_rows([](const auto& x) { return log_sum_exp(x, {.axes = {1}}); },
              {0, 0, share, 1 - share});
}

TEST(ExcludedElements, OfComplexNumbers) {
  using Complex = std::complex<double>;
  for (const Device device : all_devices()) {
    SCOPED_TRACE(to_string(device));
    const auto mask = Tensor<bool>({false, true}).to(device);
    const auto loss = [&](const Tensor<Complex>& x) {
      return sum(real(select(mask, sqrt(x) / x, Complex{0})));
    };
    const auto x = Tensor<Complex>({Complex{0, 0}, Complex{4, 0}}).to(device);
    // x^(-1/2) at 4: -1 / 2 * 4^(-3/2).
    const std::vector<Complex> slopes = elements_of(gradient(loss, x));
    EXPECT_EQ(slopes[0], Complex(0));
    EXPECT_NEAR(std::abs(slopes[1] - Complex(-1.0 / 16)), 0, 1e-14);
  }
}

// What is not excluded: a zero cotangent alone makes a zero.
TEST(ExcludedElements, OthersKeepInfinitiesAndNaN) {
  for (const Device device : all_devices()) {
    SCOPED_TRACE(to_string(device));
    const auto x = Tensor<double>({0, 4}).to(device);
    const auto slope_times = [&](double factor) {
      return elements_of(
          gradient([factor](const Tensor<double>& t) { return sum(sqrt(t) * factor); }, x));
    };
    EXPECT_EQ(slope_times(1), (std::vector{infinity, 0.25}));
    EXPECT_EQ(slope_times(-1), (std::vector{-infinity, -0.25}));
    EXPECT_EQ(slope_times(infinity), (std::vector{infinity, infinity}));
    EXPECT_TRUE(std::isnan(slope_times(not_a_number)[1]));
    const auto mask = Tensor<bool>({true, false}).to(device);
    const auto taken =
        gradient([&](const Tensor<double>& t) { return sum(select(mask, t * log(t), 0.0)); }, x);
    EXPECT_EQ(elements_of(taken), (std::vector{-infinity, 0.0}));
    const auto of_nan = gradient(
        [&](const Tensor<double>& t) { return sum(select(mask, t * not_a_number, 0.0)); }, x);
    EXPECT_TRUE(std::isnan(elements_of(of_nan)[0]));
    // An infinite cotangent times a derivative of 0.
    const auto of_inf =
        gradient([](const Tensor<double>& t) { return sum(square(t) * infinity); }, x);
    EXPECT_TRUE(std::isnan(elements_of(of_inf)[0]));
  }
}

}  // namespace
}  // namespace ddx::testing
