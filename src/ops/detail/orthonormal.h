/// \file
/// Orthonormal columns of a row-major matrix: their signs, and more of them.

#pragma once

#include "ops/detail/axis_line.h"

#include <cmath>
#include <cstdint>

namespace ddx::ops::detail {

template <class T, class S>
double dot(const AxisLine<T>& a, const AxisLine<S>& b) noexcept {
  double sum = 0;
  for (std::int64_t i = 0; i < a.extent; ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

/// The Euclidean length, without overflow on the way.
template <class T>
double length(const AxisLine<T>& a) noexcept {
  double largest = 0;
  for (std::int64_t i = 0; i < a.extent; ++i) {
    largest = std::fmax(largest, std::abs(a[i]));
  }
  if (largest == 0 || !std::isfinite(largest)) {
    return largest;
  }
  double sum = 0;
  for (std::int64_t i = 0; i < a.extent; ++i) {
    sum += (a[i] / largest) * (a[i] / largest);
  }
  return largest * std::sqrt(sum);
}

template <class T>
void scale(const AxisLine<T>& a, double factor) noexcept {
  for (std::int64_t i = 0; i < a.extent; ++i) {
    a.set(i, a[i] * factor);
  }
}

/// The sign that gives a vector the agreed direction: the first element that is at least half as
/// large as the largest becomes positive. (Not the largest: of two that are equal up to rounding,
/// either could decide.)
template <class T>
double orientation(const AxisLine<T>& a) noexcept {
  double largest = 0;
  for (std::int64_t i = 0; i < a.extent; ++i) {
    largest = std::fmax(largest, std::abs(a[i]));
  }
  for (std::int64_t i = 0; i < a.extent; ++i) {
    if (std::abs(a[i]) >= largest / 2) {
      return a[i] < 0 ? -1 : 1;
    }
  }
  return 1;
}

/// Turns a vector the agreed way.
template <class T>
void orient(const AxisLine<T>& a) noexcept {
  if (orientation(a) < 0) {
    scale(a, -1);
  }
}

/// Subtracts from a vector its components along the first `count` columns of q, which are
/// orthonormal; `take(k, part)` receives each. Twice, because once leaves rounding errors that are
/// large compared with the rest (W. Kahan's "twice is enough", in B. Parlett, "The symmetric
/// eigenvalue problem", 1980).
template <class T, class Take>
void subtract_projections(const AxisLine<T>& a, T* q, std::int64_t stride, std::int64_t count,
                          Take take) noexcept {
  for (int pass = 0; pass < 2; ++pass) {
    for (std::int64_t k = 0; k < count; ++k) {
      const AxisLine<T> base{q + k, stride, a.extent};
      const double part = dot(base, a);
      take(k, part);
      for (std::int64_t i = 0; i < a.extent; ++i) {
        a.set(i, a[i] - part * base[i]);
      }
    }
  }
}

/// Makes column `count` of q orthonormal to those before it, from the unit vector that is farthest
/// from their span.
template <class T>
void add_orthonormal_column(T* q, std::int64_t rows, std::int64_t stride,
                            std::int64_t count) noexcept {
  std::int64_t farthest = 0;
  double least = 2;
  for (std::int64_t i = 0; i < rows; ++i) {
    double inside = 0;
    for (std::int64_t k = 0; k < count; ++k) {
      const auto element = static_cast<double>(q[i * stride + k]);
      inside += element * element;
    }
    if (inside < least) {
      least = inside;
      farthest = i;
    }
  }
  const AxisLine<T> column{q + count, stride, rows};
  for (std::int64_t i = 0; i < rows; ++i) {
    column.set(i, i == farthest ? 1 : 0);
  }
  subtract_projections(column, q, stride, count, [](std::int64_t, double) {});
  scale(column, 1 / length(column));
  orient(column);
}

}  // namespace ddx::ops::detail
