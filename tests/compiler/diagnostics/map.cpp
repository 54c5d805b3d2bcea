// Nodes of a map are found by run-time keys.
#include "ddx/ad.h"

#include <map>

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: an object of type 'std::map<int, double>'}}
  std::map<int, double> m;
  m[1] = x;
  return m[1] * x;
#else
  std::map<int, int> m;
  m[1] = 3;
  return m[1] * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
