// Iterators of a vector.
#include "ddx/ad.h"

#include <vector>

double f(double x) {
#ifndef ACCEPTED
  const std::vector<double> v{x, x * x, 1};
  double s = 0;
  // expected-error@+1 {{cannot differentiate: the iterator 'i' over active values}}
  for (auto i = v.begin(); i != v.end(); ++i) {
    s += *i;
  }
  return s;
#else
  const std::vector<double> v{x, x * x, 1};
  double s = 0;
  for (const double e : v) {
    s += e;
  }
  return s;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
