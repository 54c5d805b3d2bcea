/// \file
/// Control flow and parameter passing in small functions, over many points: recursion, structures,
/// a closure, aliased arguments, fall-through, an early return.

#pragma once

#include "ddx/ad/differentiable.h"

#include "programs/case.h"

#include <cmath>
#include <cstddef>
#include <random>
#include <tuple>
#include <vector>

namespace ddx::bench {

template <class T>
struct Point2 {
  T x, y;
  DDX_DIFFERENTIABLE(Point2, x, y)
};

template <class T>
T fold_tree(const T* a, int low, int high) {
  if (high - low == 1) {
    return a[low] * a[low];
  }
  const int middle = (low + high) / 2;
  const T l = fold_tree(a, low, middle);
  const T r = fold_tree(a, middle, high);
  return l * r + l;
}

template <class T>
Point2<T> rotated(const Point2<T>& p, const T& s) {
  return {p.x * s - p.y, p.x + p.y * s};
}

template <class T>
void scale_into(T& accumulator, const T& x) {
  accumulator = accumulator * x + x;
}

template <class T>
T shape_value(const T* a, int n, int mode) {
  using std::sin;
  const T w = a[0];
  const auto f = [w, a](int i) { return sin(a[i]) * w; };
  T s = 0;
  for (int i = 0; i < n; ++i) {
    s += f(i);
    if (s > 2.5) {
      return s * (1.0 + i);
    }
  }
  Point2<T> p{a[1], a[2]};
  p = rotated(p, s);
  T accumulator = p.x;
  scale_into(accumulator, p.y);
  scale_into(accumulator, accumulator);
  switch (mode) {
    case 0:
      accumulator = accumulator * a[1];
      [[fallthrough]];
    case 1:
      accumulator = accumulator + a[2] * accumulator;
      break;
    default:
      accumulator = sin(accumulator);
  }
  return accumulator + fold_tree(a, 0, n);
}

/// The sum over rows of `columns` numbers.
struct ShapesSum {
  int columns = 0;

  template <class T>
  T operator()(const std::vector<T>& table) const {
    T sum = 0;
    const int rows = static_cast<int>(table.size()) / columns;
    for (int k = 0; k < rows; ++k) {
      sum += shape_value(&table[k * columns], columns, k % 3);
    }
    return sum;
  }
};

inline auto shapes_case(int rows, int columns) {
  std::mt19937 generator(4);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> table(static_cast<std::size_t>(rows * columns));
  for (double& v : table) {
    v = uniform(generator);
  }
  for (int k = 0; k < rows; k += 7) {  // These return early.
    table[k * columns] = 2;
    table[k * columns + 5] = 1.5;
  }
  return Case{ShapesSum{columns}, std::tuple{table}};
}

}  // namespace ddx::bench
