// Storage without a type comes to hold an object.
#include "ddx/ad.h"

#include <cstdlib>

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: a pointer whose target is not known here}}
  auto* y = static_cast<double*>(std::malloc(sizeof(double)));
  *y = x;
  const double r = *y * x;
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

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
