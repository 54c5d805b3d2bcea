// A static variable that the function initialises when it first runs: its derivative may run before.
#include "ddx/ad.h"

double made() {
  return 2.5;
}

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{the static variable 'factor', which is initialised when the function first runs}}
  static const double factor = made();
#else
  static const double factor = 2.5;
#endif
  return factor * x * x;
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
