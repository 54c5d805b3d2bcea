// A gradient inside differentiated code calls its function again on the way back, when a variable
// that it uses may have changed.
// expected-note@operators.h:* {{the place in the library is here, within the call of 'gradient'}}
#include "ddx/ad.h"

#ifdef ACCEPTED
const double factor = 2.0;
#else
double factor = 2.0;
#endif

double weighted(double x) {
  const auto f = [](double a) { return a * a * a * factor; };  // expected-note {{'factor' is used here}}
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    sum += ddx::gradient(f, x) * x;  // expected-error {{since it uses 'factor', a variable that may change in between}}
#ifndef ACCEPTED
    factor += 1;
#endif
  }
  return sum;
}

const double slope = ddx::gradient(weighted, 2.0);  // expected-note {{derivative requested here}}
