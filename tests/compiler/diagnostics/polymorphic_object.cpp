// An object with a table of virtual functions has hidden state.
#include "ddx/ad.h"

struct Plain {
  double value;
};
struct Polymorphic {
  double value = 0;
  virtual void reset() { value = 0; }
};

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: 'Polymorphic' has virtual functions}}
  Polymorphic p;
  p.value = x;
  return p.value * p.value;
#else
  Plain p{x};
  return p.value * p.value;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
