/// \file
/// The logarithm of the gamma function and its derivatives, in double.

#pragma once

#include "ddx/ops/elementwise.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <math.h>  // ::lgamma_r
#include <numbers>

namespace ddx::ops::detail {

/// log |gamma(x)|; infinite at 0 and the negative integers.
inline double log_gamma(double x) noexcept {
  int sign = 0;
  return ::lgamma_r(x, &sign);  // std::lgamma writes a global variable.
}

/// cot(pi x), with the whole part taken off before it can cost digits.
inline double cotangent_of_pi_times(double x) noexcept {
  const double angle = std::numbers::pi * (x - std::round(x));
  return std::cos(angle) / std::sin(angle);
}

/// The derivative of log_gamma; NaN at the negative integers.
///
/// Source:  M. Abramowitz, I. Stegun, "Handbook of Mathematical Functions", 1964, 6.3.5 (steps to
/// the right), 6.3.7 (reflection), 6.3.18 (series for large x).
inline double digamma(double x) noexcept {
  if (x == 0) {
    return -std::copysign(std::numeric_limits<double>::infinity(), x);
  }
  double result = 0;
  if (x < 0) {
    if (x == std::floor(x)) {
      return std::numeric_limits<double>::quiet_NaN();
    }
    result = -std::numbers::pi * cotangent_of_pi_times(x);
    x = 1 - x;
  }
  for (; x < 10; x += 1) {
    result -= 1 / x;
  }
  // Bernoulli numbers B_2k / 2k; from x = 10 on, the first one left out is below 1e-17.
  constexpr std::array series = {1.0 / 12,  -1.0 / 120,     1.0 / 252, -1.0 / 240,
                                 1.0 / 132, -691.0 / 32760, 1.0 / 12,  -3617.0 / 8160};
  const double inverse = 1 / (x * x);
  double tail = 0;
  for (std::size_t k = series.size(); k-- > 0;) {
    tail = (tail + series[k]) * inverse;
  }
  return result + std::log(x) - 0.5 / x - tail;
}

/// The derivative of cot(pi x) of this order, divided by pi^order, where cot(pi x) = c.
inline double cotangent_derivative(int order, double c) noexcept {
  // As a polynomial in c: the derivative of c is -(1 + c^2), so all its terms have one sign.
  std::array<double, most_polygamma_order + 2> terms{};
  terms[1] = 1;
  for (int n = 0; n < order; ++n) {
    std::array<double, most_polygamma_order + 2> next{};
    for (std::size_t power = 1; power <= static_cast<std::size_t>(n) + 1; ++power) {
      const double slope = static_cast<double>(power) * terms[power];
      next[power - 1] -= slope;
      next[power + 1] -= slope;
    }
    terms = next;
  }
  double value = 0;
  for (std::size_t power = terms.size(); power-- > 0;) {
    value = value * c + terms[power];
  }
  return value;
}

/// The sum over k >= 0 of (x + k)^-s, for x > 0 and s > 1.
///
/// Source:  Euler and Maclaurin's formula, with eight Bernoulli numbers.
inline double hurwitz_zeta(double s, double x) noexcept {
  double sum = 0;
  for (; x < 10 + s; x += 1) {
    sum += std::pow(x, -s);
  }
  // B_2k / (2k)!
  constexpr std::array series = {1.0 / 12,          -1.0 / 720,
                                 1.0 / 30240,       -1.0 / 1209600,
                                 1.0 / 47900160,    -691.0 / 1307674368000,
                                 1.0 / 74724249600, -3617.0 / 10670622842880000};
  const double power = std::pow(x, -s);
  sum += std::pow(x, 1 - s) / (s - 1) + power / 2;
  double factor = power * s / x;
  for (std::size_t k = 0; k < series.size(); ++k) {
    sum += series[k] * factor;
    const double next = s + 2 * static_cast<double>(k);
    factor *= (next + 1) / x * ((next + 2) / x);
  }
  return sum;
}

/// The derivative of digamma of this order. NaN where the order is no integer in
/// [0, most_polygamma_order].
///
/// Source:  M. Abramowitz, I. Stegun, "Handbook of Mathematical Functions", 1964, 6.4.7
/// (reflection), 6.4.10 (series).
inline double polygamma(double order, double x) noexcept {
  if (!(order >= 0 && order <= most_polygamma_order && order == std::floor(order))) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const int n = static_cast<int>(order);
  if (n == 0) {
    return digamma(x);
  }
  const bool odd = n % 2 == 1;
  if (x <= 0 && x == std::floor(x)) {
    return odd && std::isfinite(x) ? std::numeric_limits<double>::infinity()
                                   : std::numeric_limits<double>::quiet_NaN();
  }
  if (x < 0) {
    const double reflected = polygamma(order, 1 - x);
    return (odd ? -reflected : reflected) -
           std::pow(std::numbers::pi, n + 1) * cotangent_derivative(n, cotangent_of_pi_times(x));
  }
  const double size = std::tgamma(order + 1) * hurwitz_zeta(order + 1, x);
  return odd ? size : -size;
}

}  // namespace ddx::ops::detail
