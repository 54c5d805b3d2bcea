// The conversion forgets which lambda it was.
#include "ddx/ad.h"

double f(double x) {
#ifndef ACCEPTED
  double (*square)(double) = [](double v) { return v * v; };
  // expected-error@+1 {{cannot differentiate: a call through a function pointer whose target is not known here}}
  return square(x);
#else
  const auto square = [](double v) { return v * v; };
  return square(x);
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
