// Which object a pointer names depends on the values.
#include "ddx/ad.h"

double f(double x) {
#ifndef ACCEPTED
  double a = x;
  double b = x * x;
  double* p = &a;
  if (x > 1) {
    // expected-error@+1 {{cannot differentiate: a pointer that is bound anew}}
    p = &b;
  }
  return *p * x;
#else
  double a = x;
  double b = x * x;
  return (x > 1 ? b : a) * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
