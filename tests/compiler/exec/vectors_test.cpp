#include "gradient_check.h"

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace {

using Vector = std::vector<double>;

double sum_of_squares(const Vector& x) {
  double s = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    s += x[i] * x[i];
  }
  return s;
}

/// The index steps in the middle of the body: each use sees its own side of the step.
double index_read_around_its_step(const Vector& x) {
  double s = 1;
  std::size_t at = 0;
  while (at + 1 < x.size()) {
    s *= x[at];
    ++at;
    if (s > 0) {
      s += x[at] * s;
    }
  }
  int back = static_cast<int>(x.size()) - 1;
  do {
    s += x[static_cast<std::size_t>(back)] * s;
    back -= 2;
    if (back >= 0) {
      s -= std::sin(x[static_cast<std::size_t>(back)] * s);
    }
  } while (back > 0);
  return s;
}

/// The new elements are made of the old ones.
double assigned_from_braces(double x) {
  Vector v = {x, x * x, 3};
  v[2] *= v[1];
  v = {v[2], v[0] * v[1]};
  v[0] += v[1];
  const double before = v[0] * v[1];
  v = {1.5, x};
  return before * v[0] + v[1];
}

double vector_by_value(Vector x) {
  for (std::size_t i = 1; i < x.size(); ++i) {
    x[i] = x[i - 1] * x[i] + x[0];
  }
  return x.back() * x.front();
}

void exponentiate(Vector& x) {
  for (double& v : x) {
    v = std::exp(0.5 * v);
  }
}

double vector_by_reference(const Vector& x) {
  Vector y = x;
  exponentiate(y);
  exponentiate(y);
  return sum_of_squares(y);
}

double constructed_with_size(double a, int n) {
  Vector x(static_cast<std::size_t>(n), a);
  Vector y(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    y[i] = x[i] * a + i;
    x[i] *= y[i];
  }
  return sum_of_squares(x) + sum_of_squares(y);
}

double constructed_with_values(double a, double b) {
  const Vector x{a, b, a * b};
  double s = 1;
  for (const double v : x) {
    s = s * v + 1;
  }
  return s;
}

double copied_and_assigned(const Vector& x) {
  Vector y = x;
  y[0] *= 2;
  Vector z(1);
  z = y;
  z[1] = z[0] * y[1];
  y = x;
  return sum_of_squares(z) * y[1];
}

double indexed_by_integers(const Vector& x, const std::vector<int>& order) {
  double s = 1;
  for (const int i : order) {
    s = s * x[i] + x[i];
  }
  return s;
}

double empty_vector_is_fine(const Vector& x, double a) {
  double s = a * a;
  for (const double v : x) {
    s *= v;
  }
  return x.empty() ? s * a : s;
}

const Vector x1{0.5, -1.0, 2.0, 0.25};
const Vector x2{1.5, 0.3};
const Vector x3{-0.7, 0.9, 1.1};

std::vector<double> doubled(std::vector<double> numbers) {
  std::vector<double> result;
  for (const double number : numbers) {
    result.push_back(number * number);
    result.push_back(number);
  }
  return result;
}

// The statement that moves from `state` also assigns to it, so its moved-from value is never read.
double moved_and_assigned(double x, double y) {
  std::vector<double> state{x, y, x * y};
  for (int i = 0; i < 2; ++i) {
    state = doubled(std::move(state));
  }
  double sum = 0;
  for (std::size_t i = 0; i < state.size(); ++i) {
    sum += state[i] * static_cast<double>(i + 1);
  }
  return sum;
}
DDX_CHECK_GRADIENT(moved_and_assigned, at(0.3, 0.7), at(-1.2, 0.4), at(2.0, -0.5))

DDX_CHECK_GRADIENT(assigned_from_braces, at(0.5), at(-1.2), at(2.1))
DDX_CHECK_GRADIENT(index_read_around_its_step, at(Vector{0.5, 1.5, -0.7, 1.1, 0.9}),
                   at(Vector{1.2, 0.4, 0.3, -0.8}), at(Vector{0.6}))
DDX_CHECK_GRADIENT(sum_of_squares, at(x1), at(x2), at(x3))
DDX_CHECK_GRADIENT(vector_by_value, at(x1), at(x2), at(x3))
DDX_CHECK_GRADIENT(vector_by_reference, at(x1), at(x2), at(x3))
DDX_CHECK_GRADIENT(constructed_with_size, at(0.5, 3), at(-1.2, 0), at(1.5, 1))
DDX_CHECK_GRADIENT(constructed_with_values, at(0.5, 3.0), at(-1.2, 0.2), at(1.5, 1.0))
DDX_CHECK_GRADIENT(copied_and_assigned, at(x1), at(x2), at(x3))
DDX_CHECK_GRADIENT(indexed_by_integers, at(x1, std::vector{0, 3, 3, 1}), at(x2, std::vector<int>{}),
                   at(x3, std::vector{2}))
DDX_CHECK_GRADIENT(empty_vector_is_fine, at(x1, 2.0), at(Vector{}, 0.5), at(x3, -1.0))

}  // namespace
