// A gradient inside differentiated code is of a function that changes nothing: it is called again.
// expected-note@operators.h:* {{the place in the library is here, within the call of 'gradient'}}
#include "ddx/ad.h"

double counted(double x) {
  double sum = 0;
  const auto f = [&](double a) {
#ifndef ACCEPTED
    sum += a;
#endif
    return a * a * sum;
  };
  return ddx::gradient(f, x) + sum;  // expected-error {{cannot differentiate: the gradient or pullback 'ddx::gradient(}}
}

const double slope = ddx::gradient(counted, 2.0);  // expected-note {{derivative requested here}}
