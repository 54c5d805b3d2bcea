/// \file
/// Dual numbers: a value and its derivative in one direction. They verify the gradients.

#pragma once

#include <cmath>
#include <numbers>

namespace ddx::bench {

/// `value + epsilon * slope`, with epsilon^2 = 0.
struct Dual {
  double value = 0;
  double slope = 0;

  constexpr Dual() = default;
  constexpr Dual(double constant) : value(constant) {}  // NOLINT: a number is a constant
  constexpr Dual(double v, double s) : value(v), slope(s) {}

  constexpr Dual& operator+=(Dual b) { return *this = {value + b.value, slope + b.slope}; }
  constexpr Dual& operator-=(Dual b) { return *this = {value - b.value, slope - b.slope}; }
  constexpr Dual& operator*=(Dual b) {
    return *this = {value * b.value, slope * b.value + value * b.slope};
  }
  constexpr Dual& operator/=(Dual b) {
    const double quotient = value / b.value;
    return *this = {quotient, (slope - quotient * b.slope) / b.value};
  }

  friend constexpr Dual operator+(Dual a, Dual b) { return a += b; }
  friend constexpr Dual operator-(Dual a, Dual b) { return a -= b; }
  friend constexpr Dual operator*(Dual a, Dual b) { return a *= b; }
  friend constexpr Dual operator/(Dual a, Dual b) { return a /= b; }
  friend constexpr Dual operator-(Dual a) { return {-a.value, -a.slope}; }
  friend constexpr bool operator<(Dual a, Dual b) { return a.value < b.value; }
  friend constexpr bool operator>(Dual a, Dual b) { return a.value > b.value; }

  friend Dual exp(Dual a) {
    const double e = std::exp(a.value);
    return {e, e * a.slope};
  }
  friend Dual log(Dual a) { return {std::log(a.value), a.slope / a.value}; }
  friend Dual tanh(Dual a) {
    const double t = std::tanh(a.value);
    return {t, (1 - t * t) * a.slope};
  }
  friend Dual sqrt(Dual a) {
    const double s = std::sqrt(a.value);
    return {s, a.slope / (2 * s)};
  }
  friend Dual sin(Dual a) { return {std::sin(a.value), std::cos(a.value) * a.slope}; }
  friend Dual cos(Dual a) { return {std::cos(a.value), -std::sin(a.value) * a.slope}; }
  friend Dual erfc(Dual a) {
    return {std::erfc(a.value),
            -2 * std::numbers::inv_sqrtpi * std::exp(-a.value * a.value) * a.slope};
  }
  friend constexpr Dual fabs(Dual a) { return a.value < 0 ? -a : a; }
};

}  // namespace ddx::bench
