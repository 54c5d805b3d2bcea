// A reference goes with its element to the object that is moved to or swapped with.
#include "ddx/ad.h"

#include <algorithm>
#include <utility>
#include <vector>

double moved(double x) {
  std::vector<double> v{x, 1.0};
  double& first = v[0];
#ifdef ACCEPTED
  first *= x;
#endif
  std::vector<double> w = std::move(v);
#ifndef ACCEPTED
  // expected-error@-2 {{cannot differentiate: elements that move to another object while 'first' refers to one of them}}
  first *= x;
#endif
  return w[0] * w[1];
}

double swapped(double x) {
  std::vector<double> v{x, 1.0};
  std::vector<double> w{2.0, x};
  double* place = v.data();
  for (int i = 0; i < 3; ++i) {
#ifdef ACCEPTED
    place = v.data();
#else
    *place *= x;
    v.swap(w);  // expected-error {{cannot differentiate: elements that move to another object while 'place' refers to one of them}}
#endif
  }
  return v[0] * w[0] * *place;
}

double sorted(double x) {
  std::vector<std::vector<double>> rows{{x}, {2.0}};
#ifdef ACCEPTED
  std::vector<double>& inner = rows[0];  // The row stays, whatever it holds.
#else
  double& inner = rows[0][0];
#endif
  std::sort(rows.begin(), rows.end());  // expected-error {{cannot differentiate: elements that move to another object while 'inner' refers to one of them}}
#ifdef ACCEPTED
  return inner[0] * rows[1][0];
#else
  return inner * rows[1][0];
#endif
}

void take(std::vector<double>& from, std::vector<double>& to) {
  from.swap(to);
  from.assign(2, 1.0);
}

double moved_by_a_function(double x) {
  std::vector<double> v{x, 1.0};
  std::vector<double> w;
  double& first = v[0];
  first *= x;
  take(v, w);
#ifndef ACCEPTED
  // expected-error@-2 {{cannot differentiate: elements that move to another object while 'first' refers to one of them}}
  first *= x;
#endif
  return w[0] * v[1];
}

double swapped_by_a_lambda(double x) {
  std::vector<double> v{x, 1.0};
  std::vector<double> w{2.0, x};
  const auto exchange = [&] { std::swap(v, w); };
  double& first = v[0];
  first *= x;
  exchange();
#ifndef ACCEPTED
  // expected-error@-2 {{cannot differentiate: elements that move to another object while 'first' refers to one of them}}
  first *= x;
#endif
  return w[0] * v[1];
}

double bound_by_reference(double x) {
  std::pair<std::vector<double>, double> p{std::vector<double>{x, 1.0}, x};
  auto& [v, k] = p;
  v[0] *= x * k;
  const std::vector<double> w = std::move(p.first);
#ifndef ACCEPTED
  // expected-error@-2 {{cannot differentiate: elements that move to another object while 'v' refers to one of them}}
  v.push_back(x);
#endif
  return w[0];
}

using Vector = std::vector<double>;

void odd(Vector& v, Vector& w, int n);

void even(Vector& v, Vector& w, int n) {
  if (n > 0) {
    odd(v, w, n - 1);
  } else {
    v.swap(w);
    w.assign(2, 1.0);
  }
}

void odd(Vector& v, Vector& w, int n) {
  even(v, w, n - 1);
}

double moved_by_recursion(double x) {
  Vector v{x, 1.0};
  Vector w{2.0, x};
  even(v, w, 2);
  double& first = w[0];
  first *= x;
  odd(v, w, 1);
#ifndef ACCEPTED
  // expected-error@-2 {{cannot differentiate: elements that move to another object while 'first' refers to one of them}}
  first *= x;
#endif
  return w[0] * v[1];
}

const double a = ddx::gradient(moved, 0.3);  // expected-note {{derivative requested here}}
const double b = ddx::gradient(swapped, 0.3);  // expected-note {{derivative requested here}}
const double c = ddx::gradient(sorted, 0.3);  // expected-note {{derivative requested here}}
const double e = ddx::gradient(moved_by_a_function, 0.3);  // expected-note {{derivative requested here}}
const double g = ddx::gradient(swapped_by_a_lambda, 0.3);  // expected-note {{derivative requested here}}
const double i = ddx::gradient(bound_by_reference, 0.3);  // expected-note {{derivative requested here}}
const double h = ddx::gradient(moved_by_recursion, 0.3);  // expected-note {{derivative requested here}}
