// Members of an unnamed union share storage.
#include "ddx/ad.h"

struct Tagged {
  int tag;
  union {
    double real;
    long bits;
  };
};

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 0+ {{cannot differentiate}}
  Tagged t{};
  // expected-error@+1 {{cannot differentiate: an assignment to this expression}}
  t.real = x;
  // expected-error@+1 0+ {{cannot differentiate}}
  return t.real * x;
#else
  Tagged t{};
  t.bits = 3;
  return x * static_cast<double>(t.bits);
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note 1+ {{derivative requested here}}
