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
  Tagged t{};
  // expected-error@+1 {{cannot differentiate: member of union}}
  t.real = x;
  return t.real * x;
#else
  Tagged t{};
  t.bits = 3;
  return x * static_cast<double>(t.bits);
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
