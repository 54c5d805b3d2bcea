/// \file
/// The residual of a nonlinear boundary value problem: each number of the result depends on three.

#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace ddx::bench {

/// -u'' = e^u + u u' on an interval that is cut into `u.size() + 1` parts, times the square of
/// their length.
template <class T>
std::vector<T> boundary_residual(const std::vector<T>& u) {
  using std::exp;
  const std::size_t n = u.size();
  const double h = 1 / static_cast<double>(n + 1);
  std::vector<T> r(n);
  for (std::size_t i = 0; i < n; ++i) {
    r[i] = h * h * exp(u[i]) - 2 * u[i];
    if (i > 0) {
      r[i] += u[i - 1] * (1 - 0.5 * h * u[i]);
    }
    if (i + 1 < n) {
      r[i] += u[i + 1] * (1 + 0.5 * h * u[i]);
    }
  }
  return r;
}

}  // namespace ddx::bench
