// An initializer list is a view of an array without a name.
#include "ddx/ad.h"

#include <initializer_list>

double sum(std::initializer_list<double> list) {
  double s = 0;
  for (const double e : list) {
    s += e * e;
  }
  return s;
}

double sum_of(double a, double b) { return a * a + b * b; }

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: an argument of type 'std::initializer_list<double>' that active values enter}}
  return sum({x, x * x});
#else
  return sum_of(x, x * x) + sum({1, 2});
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
