// A static local survives the call.
#include "ddx/ad.h"

double f(double x) {
#ifndef ACCEPTED
  static double last = 1;
  const double r = last * x;
  // expected-error@+1 {{cannot differentiate: writing the global variable 'last'}}
  last = x;
  return r;
#else
  static int calls = 0;
  ++calls;
  return calls > 0 ? x * x : x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
