// Tuples and pairs of references that are kept.
#include "ddx/ad.h"

#include <tuple>
#include <utility>

double f(double x) {
  double a = x;
  double b = x * x;
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: an object of type 'std::tuple<double &, double &>' that active values enter}}
  const std::tuple<double&, double&> both(a, b);
  return std::get<0>(both) * std::get<1>(both);
#else
  std::tie(a, b) = std::make_tuple(b, a);
  return a * b;
#endif
}

double g(double x) {
  double a = x;
  double b = x * x;
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: an object of type 'std::pair<double &, double>' that active values enter}}
  std::pair<double&, double> both(a, b);
  both.first *= both.second;
  return a;
#else
  std::pair<double, double> both(a, b);
  both.first *= both.second;
  return both.first;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
const auto other_slope = ddx::gradient(g, 2.0);  // expected-note {{derivative requested here}}
