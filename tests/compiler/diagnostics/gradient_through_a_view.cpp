// The function of a gradient inside differentiated code is called again later, with a copy of itself:
// what it reaches by pointer may have changed by then.
// expected-note@operators.h:* {{the place in the library is here, within the call of 'gradient'}}
#include "ddx/ad.h"

struct Loss {
#ifndef ACCEPTED
  const double* weight;
  double operator()(double x) const { return x * x * *weight; }
#else
  double weight;
  double operator()(double x) const { return x * x * weight; }
#endif
};

double f(double x) {
#ifndef ACCEPTED
  static const double weight = 2;
  const Loss loss{&weight};
#else
  const Loss loss{2};
#endif
  return ddx::gradient(loss, x) * x;  // expected-error {{cannot differentiate: the gradient or pullback 'ddx::gradient(}}
}

const double slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
