// A bit-field has no address; it may live in a struct of its own.
#include "ddx/ad.h"

struct Packed {
  unsigned count : 3;
  double value;
};
struct Plain {
  unsigned count;
  double value;
};

double f(double x) {
#ifndef ACCEPTED
  Packed p{2, x};
  // expected-error@+1 {{cannot differentiate: the bit-field 'count', next to active members}}
  p.count += 1;
#else
  Plain p{2, x};
  p.count += 1;
#endif
  return p.value * p.count;
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
