// A static local that is reached through a function.
#include "ddx/ad.h"

struct State {
  double value = 0;
};
State& state() {
  static State s;
  return s;
}

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: writing the global variable 's'}}
  state().value = x;
  return state().value * x;
#else
  return state().value * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
