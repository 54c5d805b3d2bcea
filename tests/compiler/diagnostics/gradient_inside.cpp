// A gradient inside differentiated code is by one argument at a time.
// expected-note@operators.h:* {{the place in the library is here, within the call of 'gradient'}}
#include "ddx/ad.h"

#include <tuple>

double by_two(double x) {
#ifndef ACCEPTED
  const auto f = [](double a, double b) { return a * a * b; };
  const auto [da, db] = ddx::gradient(f, x, x);  // expected-error {{cannot differentiate: the gradient 'ddx::gradient(}}
  return da * db;
#else
  const auto f = [](double a, double b) { return a * a * b; };
  return ddx::gradient(f, ddx::wrt<0>, x, x) * ddx::gradient(f, ddx::wrt<1>, x, x);
#endif
}

const double first = ddx::gradient(by_two, 2.0);  // expected-note {{derivative requested here}}
