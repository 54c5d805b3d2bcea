// A gradient inside differentiated code is of a function that changes nothing: it is called again.
#include "ddx/ad.h"

// expected-error@*:* {{cannot differentiate: a gradient, taken like this, inside differentiated code}}
// expected-note@*:* {{when differentiating this call of 'value_with_gradient<}}
double counted(double x) {
  double sum = 0;
  const auto f = [&](double a) {
#ifndef ACCEPTED
    sum += a;
#endif
    return a * a * sum;
  };
  return ddx::gradient(f, x) + sum;  // expected-note {{when differentiating this call of 'gradient<}}
}


const double slope = ddx::gradient(counted, 2.0);  // expected-note {{derivative requested here}}
