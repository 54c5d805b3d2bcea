// A class that lists its fields has no place for those of its bases.
#include "ddx/ad.h"

struct Base {
  double k = 1;
};

#ifndef ACCEPTED
struct Derived : Base {
  double m = 0;
  DDX_DIFFERENTIABLE(Derived, m)
};
#else
struct Derived : Base {
  double m = 0;
};
#endif

double f(double x) {
#ifndef ACCEPTED
  Derived d;
  // expected-error@+1 {{cannot differentiate: the bases of 'Derived', for which its DDX_DIFFERENTIABLE has no place}}
  d.k = x;
#else
  Derived d;
  d.k = x;
#endif
  return d.k * d.k;
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
