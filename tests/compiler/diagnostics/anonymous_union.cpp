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
  // expected-error@+1 {{cannot differentiate: an object of type 'Tagged' that active values enter}}
  Tagged t{};
  t.real = x;
  return t.real * x;
#else
  Tagged t{};
  t.bits = 3;
  return x * static_cast<double>(t.bits);
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
