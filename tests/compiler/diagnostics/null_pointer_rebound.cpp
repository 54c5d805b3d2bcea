// Nothing is behind a null pointer; a pointer that gets another target later is not followed.
#include "ddx/ad.h"

double scaled(double x, const double* factor) {
#ifndef ACCEPTED
  double own = x;
  if (!factor) {
    // expected-error@+1 {{cannot differentiate: a pointer that is bound again}}
    factor = &own;
  }
  return x * *factor;
#else
  return factor ? x * *factor : x * x;
#endif
}

double f(double x) {
  return scaled(x, nullptr);  // expected-note 0-1 {{when differentiating this call}}
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note 0-1 {{derivative requested here}}
