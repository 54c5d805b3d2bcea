// Elements that a new-expression sets have no names of their own.
#include "ddx/ad.h"

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: 'new'}}
  double* y = new double[2]{x, x * x};
  const double r = y[0] * y[1];
  delete[] y;
  return r;
#else
  double* y = new double[2];
  y[0] = x;
  y[1] = x * x;
  const double r = y[0] * y[1];
  delete[] y;
  return r;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
