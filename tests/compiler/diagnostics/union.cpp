// Members of a union share storage; which one is meant is known at run time only.
#include "ddx/ad.h"

union Number {
  double real;
  long bits;
};

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: the union 'Number' that active values enter}}
  Number n;
  n.real = x;
  return n.real * n.real;
#else
  Number n;
  n.bits = 3;
  return x * static_cast<double>(n.bits);
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
