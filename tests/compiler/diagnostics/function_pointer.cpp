// Which function a pointer denotes is known at run time only.
#include "ddx/ad.h"

double square(double x) {
  return x * x;
}
extern double (*chosen)(double, int);

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: a call through a function pointer whose target is not known here}}
  return chosen(x, 1);
#else
  return square(x);
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
