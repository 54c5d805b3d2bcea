// Another agent may change a volatile object between two reads.
#include "ddx/ad.h"

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: the volatile object 'y'}}
  volatile double y = x;
  return y * y;
#else
  volatile int n = 2;
  return x * n;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
