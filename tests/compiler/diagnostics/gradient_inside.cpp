// The function of a gradient inside differentiated code changes nothing: it is called again.
// expected-note@operators.h:* {{the place in the library is here, within the call of 'gradient'}}
#include "ddx/ad.h"

double counted(double x) {
#ifndef ACCEPTED
  double calls = 0;
  const auto f = [&calls](double a) { return a * a * (calls += 1); };
  return ddx::gradient(f, x) * calls;  // expected-error {{cannot differentiate: the gradient or pullback 'ddx::gradient(}}
#else
  const double calls = 1;
  const auto f = [&calls](double a) { return a * a * calls; };
  return ddx::gradient(f, x) * calls;
#endif
}

const double first = ddx::gradient(counted, 2.0);  // expected-note {{derivative requested here}}
