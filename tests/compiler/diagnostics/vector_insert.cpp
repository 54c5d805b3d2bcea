// Insertion moves the elements behind it.
#include "ddx/ad.h"

#include <vector>

double f(double x) {
#ifndef ACCEPTED
  std::vector<double> v{x, x * x};
  // expected-error@+1 {{cannot differentiate: a call of 'std::vector<double>::insert', which has no derivative rule}}
  v.insert(v.begin(), 1.0);
  return v[1] * v[2];
#else
  std::vector<int> v{2, 3};
  v.insert(v.begin(), 1);
  return v[1] * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
