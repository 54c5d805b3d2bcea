/// \file
/// A charged particle in a field that is the gradient of a potential, as in GradBench's `particle`:
/// a gradient inside differentiated code.

#pragma once

#include "ddx/ad.h"

#include "programs/case.h"

#include <array>
#include <cmath>
#include <concepts>
#include <tuple>

namespace ddx::bench {

/// The potential at `x`, `y` of two charges, one of which the control moves.
template <class T>
T potential(const T& x, const T& y, const T& control) {
  using std::sqrt;
  const T below = 10.0 - control;
  return 1.0 / sqrt((x - 10.0) * (x - 10.0) + (y - below) * (y - below)) +
         1.0 / sqrt((x - 10.0) * (x - 10.0) + y * y);
}

template <class T>
struct Field {
  T across, up;
};

/// The gradient of the potential, by hand, for verification.
template <class T>
Field<T> field(const T& x, const T& y, const T& control) {
  using std::sqrt;
  const T below = 10.0 - control;
  const T far = (x - 10.0) * (x - 10.0) + (y - below) * (y - below);
  const T near = (x - 10.0) * (x - 10.0) + y * y;
  const T cube_far = 1.0 / (far * sqrt(far));
  const T cube_near = 1.0 / (near * sqrt(near));
  return {-(x - 10.0) * (cube_far + cube_near), -(y - below) * cube_far - y * cube_near};
}

template <std::same_as<double> T>
Field<T> field(const T& x, const T& y, const T& control) {
  const auto there = [&](const std::array<double, 2>& at) {
    return potential(at[0], at[1], control);
  };
  const std::array<double, 2> slope = gradient(there, std::array<double, 2>{x, y});
  return {slope[0], slope[1]};
}

/// The square of the position where the particle meets the ground, from its start at (0, 8) with
/// speed 0.75.
///
/// Source: J. M. Siskind, B. A. Pearlmutter, "Using polyvariant union-free flow analysis to compile
/// a higher-order functional-programming language with a first-class derivative operator to
/// efficient Fortran-like code", 2008.
struct WhereTheParticleLands {
  double step = 0;

  template <class T>
  T operator()(const T& control) const {
    T x = 0;
    T y = 8;
    T speed_x = 0.75;
    T speed_y = 0;
    while (y + step * speed_y > 0) {
      const Field<T> slope = field(x, y, control);
      x += step * speed_x;
      y += step * speed_y;
      speed_x -= step * slope.across;
      speed_y -= step * slope.up;
    }
    const T left = -y / speed_y;
    const T landed = x + left * speed_x;
    return landed * landed;
  }
};

inline auto particle_case(double step) {
  return Case{WhereTheParticleLands{step}, std::tuple{0.0}};
}

}  // namespace ddx::bench
