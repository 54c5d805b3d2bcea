/// \file
/// The logarithmic derivative of the gamma function.

#pragma once

#include <cmath>
#include <limits>
#include <numbers>
#include <type_traits>

namespace ddx::detail {

/// psi(x) for x of at least 20, by its asymptotic series.
///
/// Source: Abramowitz and Stegun, "Handbook of Mathematical Functions", 1964, 6.3.18. From x = 20
///         on the first term left out is below 2e-23.
template <class T>
[[nodiscard]] T digamma_asymptotic(T x) {
  const T inverse = T(1) / x;
  const T square = inverse * inverse;
  T series = T(-3617) / T(8160);
  series = series * square + T(1) / T(12);
  series = series * square - T(691) / T(32760);
  series = series * square + T(1) / T(132);
  series = series * square - T(1) / T(240);
  series = series * square + T(1) / T(252);
  series = series * square - T(1) / T(120);
  series = series * square + T(1) / T(12);
  return std::log(x) - inverse / T(2) - series * square;
}

/// Returns psi(x), the derivative of log |gamma(x)|; NaN at 0, -1, -2, ..., where it has poles.
///
/// Below 20 the recurrence psi(x) = psi(x + 1) - 1/x leads up; below 0 the reflection
/// psi(x) = psi(1 - x) - pi / tan(pi x) leads there. Error of a few units in the last place, but
/// near a zero of psi relative to 1.
/// Source: J. M. Bernardo, "Algorithm AS 103: Psi (Digamma) Function", Applied Statistics 25, 1976.
template <class T>
[[nodiscard]] T digamma(T x) {
  if constexpr (std::is_same_v<T, float>) {
    return static_cast<float>(digamma(static_cast<double>(x)));
  } else {
    T correction = 0;
    if (x <= T(0)) {
      // tan has period pi: reduced before the multiplication, the argument keeps its digits.
      const T fraction = x - std::round(x);
      if (fraction == T(0)) {
        return std::numeric_limits<T>::quiet_NaN();
      }
      correction = -std::numbers::pi_v<T> / std::tan(std::numbers::pi_v<T> * fraction);
      x = T(1) - x;
    }
    while (x < T(20)) {
      correction -= T(1) / x;
      x += T(1);
    }
    return digamma_asymptotic(x) + correction;
  }
}

}  // namespace ddx::detail
