// The conversion forgets which lambda it was.
#include "ddx/ad.h"

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 0+ {{cannot differentiate}}
  double (*square)(double) = [](double v) { return v * v; };
  // expected-error@+1 {{cannot differentiate: a call through a function pointer whose target is not known here}}
  return square(x);
#else
  const auto square = [](double v) { return v * v; };
  return square(x);
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note 1+ {{derivative requested here}}
