// Insertion of a list of elements that has no name.
#include "ddx/ad.h"

#include <vector>

double f(double x) {
  std::vector<double> v{x, x * x};
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: a call of 'std::vector<double>::insert', which has no derivative rule}}
  v.insert(v.begin(), {1.0, x});
#else
  v.insert(v.begin(), 1.0);
#endif
  return v[1] * v[2];
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
