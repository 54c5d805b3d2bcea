// A key that may be active decides which node is meant, and is a value that comes out again.
#include "ddx/ad.h"

#include <map>

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: an object of type 'std::map<double, double>'}}
  std::map<double, double> m;
#else
  std::map<int, double> m;
#endif
  m[1] = x;
  return m[1] * x;
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
