// A pointer that moves has no fixed path to its element.
#include "ddx/ad.h"

double f(double x) {
  const double a[4] = {x, 2, x * x, 1};
  double s = 0;
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: a pointer that is bound anew}}
  for (const double* p = a; p != a + 4; ++p) {
    s += *p;
  }
#else
  const double* p = a;
  for (int i = 0; i < 4; ++i) {
    s += *(p + i);
  }
#endif
  return s;
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
