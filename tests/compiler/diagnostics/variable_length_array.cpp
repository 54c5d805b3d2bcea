// RUN-FLAGS: -Wno-vla-cxx-extension
// An array whose length is known at run time only.
#include "ddx/ad.h"

int length = 3;

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: 'a', an array of variable length}}
  double a[length];
  a[0] = x;
  return a[0] * x;
#else
  double a[3];
  a[0] = x;
  return a[0] * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
