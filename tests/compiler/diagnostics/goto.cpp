// A jump to a label has no structure to walk backwards.
#include "ddx/ad.h"

double f(double x) {
#ifndef ACCEPTED
  double y = x;
again:
  y *= x;
  if (y < 10) {
    // expected-error@+1 {{cannot differentiate: a goto statement}}
    goto again;
  }
  return y;
#else
  double y = x;
  do {
    y *= x;
  } while (y < 10);
  return y;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
