// A heap array has no name of its own.
#include "ddx/ad.h"

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: 'new'}}
  double* y = new double[2]{x, x * x};
  const double r = y[0] * y[1];
  delete[] y;
  return r;
#else
  int* n = new int[2]{3, 4};
  const double r = n[1] * x;
  delete[] n;
  return r;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
