/// \file
/// Dual numbers: a value and its derivative in one direction. They judge the gradients.

#pragma once

#include <cmath>

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
};

}  // namespace ddx::bench
