// Storage without a type comes to hold an object.
#include "ddx/ad.h"

#include <cstdlib>

double f(double x) {
#ifndef ACCEPTED
  auto* y = static_cast<double*>(std::malloc(sizeof(double)));
  // expected-error@+1 {{cannot differentiate: an assignment to this expression}}
  *y = x;
  // expected-error@+1 0+ {{cannot differentiate}}
  const double r = *y * x;
  // expected-error@+1 0+ {{cannot differentiate}}
  std::free(y);
  return r;
#else
  auto* n = static_cast<int*>(std::malloc(sizeof(int)));
  *n = 3;
  const double r = *n * x;
  std::free(n);
  return r;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note 1+ {{derivative requested here}}
