/// \file
/// A minimax problem, as in GradBench's `saddle`: the maximum is searched by a gradient inside
/// differentiated code.

#pragma once

#include "ddx/ad.h"

#include "programs/case.h"

#include <array>
#include <cmath>
#include <concepts>
#include <tuple>

namespace ddx::bench {

template <class T>
using Point = std::array<T, 2>;

/// A saddle over four variables; the middle moves the maximum.
template <class T>
T saddle_height(const T& x1, const T& x2, const T& y1, const T& y2) {
  return (x1 * x1 + x2 * x2) - (y1 * y1 + y2 * y2) + 0.25 * x1 * y2;
}

/// The gradient of the saddle with respect to its last two variables, by hand, for verification.
template <class T>
Point<T> saddle_slope(const T& x1, const T& x2, const T& y1, const T& y2) {
  (void)x2;
  return {-2.0 * y1, -2.0 * y2 + 0.25 * x1};
}

template <std::same_as<double> T>
Point<T> saddle_slope(const T& x1, const T& x2, const T& y1, const T& y2) {
  const auto above = [&](const Point<double>& y) { return saddle_height(x1, x2, y[0], y[1]); };
  return gradient(above, Point<double>{y1, y2});
}

/// The maximum over the last two variables, searched from (1, 1) by gradient ascent. The step
/// doubles after ten improvements and is halved after a failure.
///
/// Source: J. M. Siskind, B. A. Pearlmutter, "Using polyvariant union-free flow analysis to compile
/// a higher-order functional-programming language with a first-class derivative operator to
/// efficient Fortran-like code", 2008.
struct GreatestHeight {
  template <class T>
  T operator()(const T& x1, const T& x2) const {
    T y1 = 1;
    T y2 = 1;
    T height = saddle_height(x1, x2, y1, y2);
    double step = 1e-5;
    int good = 0;
    for (;;) {
      const Point<T> slope = saddle_slope(x1, x2, y1, y2);
      if (slope[0] * slope[0] + slope[1] * slope[1] < 1e-10) {
        return height;
      }
      if (good == 10) {
        step *= 2;
        good = 0;
        continue;
      }
      const T new1 = y1 + step * slope[0];
      const T new2 = y2 + step * slope[1];
      const T new_height = saddle_height(x1, x2, new1, new2);
      if (new_height > height) {
        y1 = new1;
        y2 = new2;
        height = new_height;
        ++good;
      } else {
        step /= 2;
        good = 0;
      }
    }
  }
};

inline auto saddle_case() {
  return Case{GreatestHeight{}, std::tuple{1.0, 1.0}};
}

}  // namespace ddx::bench
