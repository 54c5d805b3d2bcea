// A gradient inside differentiated code is by one argument at a time.
#include "ddx/ad.h"

// expected-error@*:* {{cannot differentiate: a gradient, taken like this, inside differentiated code}}
// expected-note@*:* {{when differentiating this call of 'value_with_gradient<}}

#include <tuple>

double by_two(double x) {
#ifndef ACCEPTED
  const auto f = [](double a, double b) { return a * a * b; };
  const auto [da, db] = ddx::gradient(f, x, x);  // expected-note {{when differentiating this call of 'gradient<}}
  return da * db;
#else
  const auto f = [](double a, double b) { return a * a * b; };
  return ddx::gradient(f, ddx::wrt<0>, x, x) * ddx::gradient(f, ddx::wrt<1>, x, x);
#endif
}

const double first = ddx::gradient(by_two, 2.0);  // expected-note {{derivative requested here}}
