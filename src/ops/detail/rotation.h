/// \file
/// The rotation that makes a symmetric matrix of two rows diagonal.

#pragma once

#include "ops/detail/axis_line.h"

#include <cmath>
#include <cstdint>

namespace ddx::ops::detail {

/// After how many sweeps over all pairs Jacobi's methods end at the latest. They converge
/// quadratically: matrices of a few hundred rows take about ten.
inline constexpr int most_sweeps = 60;

/// Cosine and sine with (c -s; s c) (a b; b d) (c s; -s c) diagonal, of an angle of at most a
/// quarter of pi (H. Rutishauser, "The Jacobi method for real symmetric matrices", 1966). Requires
/// that b is not 0.
struct Rotation {
  Rotation(double a, double b, double d) noexcept {
    const double cotangent = (d - a) / (2 * b);
    tangent = std::copysign(1 / (std::abs(cotangent) + std::hypot(1, cotangent)), cotangent);
    cosine = 1 / std::hypot(1, tangent);
    sine = cosine * tangent;
  }

  /// x becomes c x - s y, y becomes s x + c y.
  void apply(const AxisLine<double>& x, const AxisLine<double>& y) const noexcept {
    for (std::int64_t i = 0; i < x.extent; ++i) {
      const double first = x[i];
      const double second = y[i];
      x.set(i, cosine * first - sine * second);
      y.set(i, sine * first + cosine * second);
    }
  }

  double tangent;
  double cosine;
  double sine;
};

}  // namespace ddx::ops::detail
