// A function that needs its own derivative to be computed has none that could be written down.
#include "ddx/ad.h"

double base(double x) {
  return x * x;
}

double f(double x) {
#ifndef ACCEPTED
  return x + ddx::derivative(f, x);  // expected-error {{cannot differentiate: a function that calls its own derivative}}
#else
  return x + ddx::derivative(base, x);
#endif
}

double once(double x) {
  return ddx::gradient(f, x);
}
