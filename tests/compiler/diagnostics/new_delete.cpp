// A heap object has no name of its own.
#include "ddx/ad.h"

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: 'new'}}
  double* y = new double(x);
  const double r = *y * x;
  delete y;
  return r;
#else
  int* n = new int(3);
  const double r = *n * x;
  delete n;
  return r;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
