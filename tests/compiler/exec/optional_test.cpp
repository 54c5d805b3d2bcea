// std::optional: engaged or not at run time, copied, passed to functions.

#include "gradient_check.h"

#include <array>
#include <cmath>
#include <optional>
#include <tuple>

// An object assigned to itself keeps what it holds, and its cotangent.
#pragma clang diagnostic ignored "-Wself-assign-overloaded"

namespace {

double always_engaged(double x, double y) {
  std::optional<double> o = x * y;
  *o = *o * *o + y;
  *o += 0.5 * *o * x;
  return *o * x;
}
DDX_CHECK_GRADIENT(always_engaged, at(0.7, 1.2), at(-0.3, 0.4), at(1.1, -0.8))

std::optional<double> root(double x) {
  if (x < 0) {
    return {};
  }
  if (x > 5) {
    return std::nullopt;
  }
  return std::sqrt(x);
}

double result_of_a_call(double x, double y) {
  const auto first = root(x * y);
  const std::optional<double> second = root(x - y);
  double sum = x;
  if (first) {
    sum *= *first;
  }
  if (second != std::nullopt) {
    sum += *second * *second * *second;
  }
  return sum * root(y * y + 1).value();
}
DDX_CHECK_GRADIENT(result_of_a_call, at(0.7, 1.2), at(-0.3, 0.4), at(1.1, 0.8), at(4.0, 1.5))

double read_by_a_callee(const std::optional<double>& o, std::optional<double> copy) {
  copy = std::optional(o ? *o * *copy : *copy);
  return o.value_or(*copy) * *copy;
}

double copied(double x, double y) {
  std::optional<double> a = x;
  std::optional<double> none;
  std::optional<double> b = a;
  *b *= y;
  a = b;
  a = std::optional(*a * *a);
  b = none;
  double sum = read_by_a_callee(b, a) + read_by_a_callee(a, a);
  b = a;
  a = none;
  b = b;
  sum += b ? *b * y : 0;
  return sum + (a ? 1 : 2) * x;
}
DDX_CHECK_GRADIENT(copied, at(0.7, 1.2), at(-0.3, 0.4), at(1.1, -0.8))

std::optional<std::array<double, 2>> solve(double a, double b, double c) {
  const double d = b * b - 4 * a * c;
  if (d < 0) {
    return std::nullopt;
  }
  return std::array<double, 2>{(-b - std::sqrt(d)) / (2 * a), (-b + std::sqrt(d)) / (2 * a)};
}

double of_an_array(double a, double b, double c) {
  const auto roots = solve(a, b, c);
  if (!roots) {
    return a * b * c;
  }
  const auto& [low, high] = *roots;
  return low * high * high + (*roots)[0];
}
DDX_CHECK_GRADIENT(of_an_array, at(1.0, 3.0, 0.7), at(0.9, 0.4, 0.8), at(1.1, -2.8, 0.3))

#ifdef __DDX__
// The tangent of an argument or a result is a tuple of one.

double over(const std::optional<double>& o, double x) {
  return o ? *o * *o * x : x * x * x;
}

TEST(optional_values, an_argument_has_a_tangent_of_one) {
  const auto [held, by_x] = ddx::gradient(over, std::optional(3.0), 2.0);
  EXPECT_DOUBLE_EQ(std::get<0>(held), 12);
  EXPECT_DOUBLE_EQ(by_x, 9);
  const auto [none, alone] = ddx::gradient(over, std::optional<double>(), 2.0);
  EXPECT_DOUBLE_EQ(std::get<0>(none), 0);
  EXPECT_DOUBLE_EQ(alone, 12);
}

std::optional<double> if_positive(double x) {
  return x > 0 ? std::optional(x * x) : std::nullopt;
}

TEST(optional_values, a_cotangent_of_what_is_not_there_counts_for_nothing) {
  EXPECT_DOUBLE_EQ(ddx::pullback(if_positive, 3.0)(std::tuple(0.5)), 3);
  EXPECT_DOUBLE_EQ(ddx::pullback(if_positive, -3.0)(std::tuple(0.5)), 0);
}

TEST(optional_values, a_result_has_a_tangent_of_one) {
  EXPECT_DOUBLE_EQ(std::get<0>(ddx::jvp(if_positive, ddx::along(0.5), 3.0).tangent), 3);
  EXPECT_DOUBLE_EQ(std::get<0>(ddx::jvp(if_positive, ddx::along(0.5), -3.0).tangent), 0);
}
#endif

}  // namespace
