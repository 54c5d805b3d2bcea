// A pointer that moves stays within the array that it was bound to first.
#include "ddx/ad.h"

double f(double x) {
  const double a[2][2] = {{x, 2}, {x * x, 1}};
  double s = 0;
  const double* p = a[0];
#ifndef ACCEPTED
  s += *p;
  // expected-error@+1 {{cannot differentiate: a pointer that is bound again}}
  p = a[1];
  s += *p;
#else
  s += *p;
  ++p;
  s += *p * p[-1];
#endif
  return s;
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
