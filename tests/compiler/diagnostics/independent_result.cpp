// A derivative that is zero whatever the arguments are is worth a word, where the call is not in a
// template.
#include "ddx/ad.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

double forgotten(double x) {  // expected-note 2{{'forgotten' is defined here}}
  const double doubled = 2 * x;
#ifndef ACCEPTED
  return 2 * std::floor(3.0);
#else
  return doubled * std::floor(3.0);
#endif
}

const double by_name = ddx::gradient(forgotten, 1.0);  // expected-warning {{the result of 'forgotten' depends on nothing that it is differentiated by: the derivative is zero}}
const auto in_both_modes = ddx::derivative(forgotten, 1.0);  // expected-warning {{the result of 'forgotten' depends on nothing}}

// Through calls, branches, loops, arrays and integers.
double rounded(const std::vector<double>& x, double scale) {
  std::array<double, 2> parts{};
  for (std::size_t i = 0; i < x.size(); ++i) {
    parts[i % 2] += std::round(x[i] * scale);
  }
  if (x[0] > 0) {
    return parts[0] * static_cast<double>(static_cast<int>(scale));
  }
#ifndef ACCEPTED
  return forgotten(x[0]);
#else
  return forgotten(x[0]) + scale;
#endif
}
const auto by_lambda = ddx::pullback([](const std::vector<double>& x, double s) {  // expected-warning {{the result of this function depends on nothing}}
  return rounded(x, s) + 1;
}, std::vector<double>{1.0}, 2.0);

// One argument is enough; so is what is selected.
double second(double /*x*/, double y) { return y * y; }
const auto one = ddx::gradient(second, 1.0, 2.0);
#ifndef ACCEPTED
const auto chosen = ddx::gradient([](double x, double y) { return second(x, y); }, ddx::wrt<0>, 1.0, 2.0);  // expected-warning {{depends on nothing}}
#endif

// Where it is meant.
const double meant = ddx::gradient([](double x) { return ddx::without_derivative(x * x); }, 2.0);
const double inside = ddx::gradient([](double x) { return std::floor(ddx::without_derivative(x)); }, 2.0);

// What depends on what may differ from one instantiation to the next.
template <class F>
double slope_of(const F& f) { return ddx::gradient(f, 2.0); }
const double generic = slope_of([](double) { return 3.0; });

// A second derivative that is zero is no accident.
const double second_order = ddx::hvp([](const std::array<double, 1>& x) { return 2 * x[0]; }, std::array{1.0}, {1.0})[0];

// Through objects that are written before they are read, by whatever name.
double written(double x) {
  double value = 0;
  double& other = value;
  const auto set = [&](double to) { other = to; };
  set(x * x);
  return value;
}
const double by_reference = ddx::gradient(written, 2.0);

struct Pair { double a = 0, b = 0; };
Pair swapped(const Pair& p) { return {p.b, p.a}; }
double recursive(double x, int depth) { return depth == 0 ? x : recursive(x, depth - 1) * 2; }
const double mixed = ddx::gradient([](double x) {
  Pair p{1.0, x};
  p = swapped(p);
  std::swap(p.a, p.b);
  std::vector<double> v;
  v.push_back(recursive(p.b, 3));
  return v.back();
}, 2.0);
