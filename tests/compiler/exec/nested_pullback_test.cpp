// Pullbacks taken inside differentiated code.

#include "gradient_check.h"

#include <cmath>
#include <cstddef>
#include <vector>

namespace {

using Vector = std::vector<double>;

double cube(double x) {
  return x * x * x;
}

double of_two_forms(double x) {
  if (x > 1) {
    return x * x * x;
  }
  return std::sin(x);
}

double by_name(double x, double seed) {
  return ddx::pullback(cube, x)(seed * x) * seed;
}

double with_value(double x) {
  const auto [y, back] = ddx::value_with_pullback(of_two_forms, x);
  return back(y) * y;
}

/// The products of a vector with all others.
Vector products(const Vector& a) {
  Vector result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    result[i] = a[i] * a[0] * std::exp(a[i]);
  }
  return result;
}

double of_vectors(double x) {
  const auto [y, back] = ddx::value_with_pullback(products, Vector{x, 2 * x, 0.3});
  const Vector d = back({1.0, x, y[0]});
  return d[0] * d[1] + d[2];
}

/// An empty cotangent counts as zeros.
double of_an_empty_cotangent(double x) {
  const auto back = ddx::pullback(products, Vector{x, 2 * x});
  return back({})[0] + x * x;
}

/// Row by row.
double of_a_jacobian(double x) {
  const auto f = [](const Vector& a) { return Vector{a[0] * a[1], std::sin(a[0])}; };
  const auto back = ddx::pullback(f, Vector{x, x * x});
  double sum = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    Vector unit(2);
    unit[i] = x;
    const Vector row = back(unit);
    sum += row[0] * row[1] + row[0];
  }
  return sum;
}

/// The pullback is that of what its function referred to when it was made.
double of_what_changes(double x) {
  double c = x;
  const auto back = ddx::pullback([&c](double u) { return u * u * c; }, x);
  c = c * c;
  return back(c);
}

double chosen(double x) {
  const auto first = ddx::pullback(cube, x);
  const auto second = ddx::pullback(of_two_forms, x);
  return x > 1 ? first(x) : second(x);
}

double in_a_loop(double x) {
  double s = x;
  for (int i = 0; i < 3; ++i) {
    const auto [y, back] = ddx::value_with_pullback([x](double u) { return std::sin(u) * x; }, s);
    s = back(x) + y;
  }
  return s;
}

using Back = ddx::Pullback<double, double>;

struct Kept {
  Back back;
  double scale;
};

double called_with_another(Back back, double x) {
  const double before = back(x);
  back = ddx::pullback(cube, 2 * x);
  return before + back(x);
}

/// Copies of a pullback are pullbacks of their own: of a variable, in captures, structs, structured
/// bindings and parameters.
double of_copies(double x) {
  Back back = ddx::pullback(cube, x);
  const Back copy = back;
  const auto lambda = [back](double seed) { return back(seed); };
  const Kept kept{back, x};
  Kept changed = kept;
  const auto [bound, scale] = kept;
  changed.back = ddx::pullback(cube, 3 * x);
  double sum = called_with_another(back, x) + bound(scale) + changed.back(x) * changed.scale;
  back = ddx::pullback(cube, x * x);
  sum += copy(x) * lambda(x * x) + kept.back(x) * kept.scale + back(x);
  return sum;
}

/// Each turn keeps the one before.
double of_the_last(double x) {
  Back back = ddx::pullback(cube, x);
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    const Back last = back;
    back = ddx::pullback(cube, x * last(x));
    sum += last(x);
  }
  return sum;
}

DDX_CHECK_GRADIENT(of_copies, at(-0.6), at(0.7), at(0.3))
DDX_CHECK_GRADIENT(of_the_last, at(-0.6), at(0.7), at(0.3))
DDX_CHECK_GRADIENT(by_name, at(0.7, 1.3), at(-2.0, 0.4), at(1.6, -0.3))
DDX_CHECK_GRADIENT(with_value, at(-0.6), at(0.7), at(1.6))
DDX_CHECK_GRADIENT(of_vectors, at(-0.6), at(0.7), at(1.6))
DDX_CHECK_GRADIENT(of_an_empty_cotangent, at(-0.6), at(0.7), at(1.6))
DDX_CHECK_GRADIENT(of_a_jacobian, at(-0.6), at(0.7), at(1.6))
DDX_CHECK_GRADIENT(of_what_changes, at(-0.6), at(0.7), at(1.6))
DDX_CHECK_GRADIENT(chosen, at(-0.6), at(0.7), at(1.6))
DDX_CHECK_GRADIENT(in_a_loop, at(-0.6), at(0.7), at(1.6))

}  // namespace
