// Which array a pointer goes through depends on the values.
#include "ddx/ad.h"

double f(double x) {
#ifndef ACCEPTED
  double a[2] = {x, 2 * x};
  double b[2] = {x * x, 1};
  double* p = a;
  if (x > 1) {
    // expected-error@+1 {{cannot differentiate: a pointer that is bound again}}
    p = b;
  }
  return p[0] * p[1];
#else
  double a = x;
  double b = x * x;
  double* p = &a;
  if (x > 1) {
    p = &b;
  }
  return *p * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
