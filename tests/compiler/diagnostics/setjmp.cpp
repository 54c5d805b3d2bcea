// A jump out of several calls.
#include "ddx/ad.h"

#include <csetjmp>

std::jmp_buf place;

double f(double x) {
#ifndef ACCEPTED
  double y = x;
  // expected-error@+1 {{cannot differentiate: a call of 'setjmp'}}
  if (setjmp(place) == 0) {
    y *= x;
  }
  return y;
#else
  return x * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
