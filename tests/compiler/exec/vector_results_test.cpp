// Functions that return vectors: what they declare and return is made where the caller wants it.

#include "gradient_check.h"

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace {

using Vector = std::vector<double>;

Vector scaled_copy(const Vector& v, double by) {
  Vector result(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) {
    result[i] = v[i] * by + (i > 0 ? result[i - 1] * v[i] : 0.0);
  }
  return result;
}

double sum_of(const Vector& v) {
  double sum = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    sum += v[i] * v[i] * static_cast<double>(i + 1);
  }
  return sum;
}

double declared(const Vector& v, double by) {
  const Vector once = scaled_copy(v, by);
  Vector twice = scaled_copy(once, by * by);
  return sum_of(twice) + sum_of(once);
}

/// The result takes the place of what it was made from.
double assigned_over(const Vector& v, double by) {
  Vector w = v;
  for (int i = 0; i < 3; ++i) {
    w = scaled_copy(w, by);
  }
  return sum_of(w);
}

/// Made by a call, and returned.
Vector handed_through(const Vector& v, double by) {
  Vector result = scaled_copy(v, by);
  return result;
}

Vector handed_through_and_changed(const Vector& v, double by) {
  Vector result = scaled_copy(v, by);
  for (double& e : result) {
    e = std::sin(e) * by;
  }
  return result;
}

double through_two(const Vector& v, double by) {
  const Vector a = handed_through(v, by);
  const Vector b = handed_through_and_changed(a, by + 1);
  return sum_of(b) * sum_of(a);
}

Vector left_early(const Vector& v, double limit) {
  Vector result(v.size(), 1.0);
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (v[i] > limit) {
      return result;
    }
    result[i] = v[i] * v[i];
  }
  result.push_back(v.empty() ? 2.0 : v[0] * limit);
  return result;
}

double with_two_ends(const Vector& v, double limit) {
  const Vector w = left_early(v, limit);
  return sum_of(w);
}

Vector appended(const Vector& v) {
  Vector result;
  for (const double e : v) {
    if (e > 0) {
      result.push_back(e * e);
    }
  }
  result.push_back(3);
  return result;
}

Vector of_constants(const Vector& v) {
  Vector result(v.size(), 0.5);
  Vector other = v;
  for (double& e : result) {
    e += 1;
  }
  std::swap(result, other);
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] *= other[i];
  }
  return result;
}

double lengths_differ(const Vector& v) {
  const Vector a = appended(v);
  const Vector b = of_constants(a);
  return sum_of(b) + sum_of(appended(b));
}

Vector powers(double x, int n) {
  Vector result(static_cast<std::size_t>(n) + 1);
  result[0] = 1;
  if (n > 0) {
    const Vector before = powers(x, n - 1);
    for (std::size_t i = 0; i < before.size(); ++i) {
      result[i] = before[i];
    }
    result[static_cast<std::size_t>(n)] = before[before.size() - 1] * x;
  }
  return result;
}

double recursive(double x, int n) {
  const Vector p = powers(x, n);
  return sum_of(p);
}

/// The vector is the result of the whole request.
Vector whole(const Vector& v, double by) {
  Vector result(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) {
    result[v.size() - 1 - i] = v[i] * v[i] * by;
  }
  return result;
}

}  // namespace

DDX_CHECK_GRADIENT(declared, at(Vector{0.2, 1.5, 0.9}, 0.7), at(Vector{3.0}, 0.7),
                   at(Vector{}, 0.7))
DDX_CHECK_GRADIENT(assigned_over, at(Vector{0.2, 1.5, 0.9}, 0.7), at(Vector{1.1}, 0.9),
                   at(Vector{}, 0.7))
DDX_CHECK_GRADIENT(through_two, at(Vector{0.2, 1.5, 0.9}, 0.7), at(Vector{3.0}, -0.7),
                   at(Vector{}, 0.4))
DDX_CHECK_GRADIENT(with_two_ends, at(Vector{0.2, 1.5, 0.9}, 0.7), at(Vector{0.2, 1.5}, 3.0),
                   at(Vector{}, 0.7))
DDX_CHECK_GRADIENT(lengths_differ, at(Vector{0.2, -1.5, 0.9}), at(Vector{-1.0}), at(Vector{}))
DDX_CHECK_GRADIENT(recursive, at(0.7, 0), at(0.7, 1), at(1.3, 4))
DDX_CHECK_GRADIENT(whole, at(Vector{0.2, 1.5, 0.9}, 0.7), at(Vector{3.0}, 0.7),
                   at(Vector{1.0, -2.0}, 0.3))
