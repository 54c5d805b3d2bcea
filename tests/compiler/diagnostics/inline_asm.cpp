// What an assembler statement does to its operands is unknown.
#include "ddx/ad.h"

double f(double x) {
#ifndef ACCEPTED
  double y = x;
  // expected-error@+1 {{cannot differentiate: inline assembly}}
  asm volatile("" : "+r"(y));
  return y * y;
#else
  asm volatile("");
  return x * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
