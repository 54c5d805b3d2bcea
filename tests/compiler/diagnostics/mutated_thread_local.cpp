// A thread_local variable survives the call.
#include "ddx/ad.h"

thread_local double state = 1;

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: writing the global variable 'state'}}
  state *= x;
  return state;
#else
  return state * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
