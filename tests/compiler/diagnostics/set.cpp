// Nodes of a set are found by their values.
#include "ddx/ad.h"

#include <set>

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: an object of type 'std::set<double>'}}
  std::set<double> s;
  s.insert(x);
  return *s.begin() * x;
#else
  std::set<int> s;
  s.insert(3);
  return *s.begin() * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
