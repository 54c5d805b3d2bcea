// A global that holds active data survives the call.
#include "ddx/ad.h"

double total = 0;
int calls = 0;

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: writing the global variable 'total'}}
  total += x;
  return total * x;
#else
  ++calls;
  return x * x + total;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
