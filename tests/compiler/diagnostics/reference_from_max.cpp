// std::max returns a reference to one of its arguments, and that argument changes later.
#include "ddx/ad.h"

#include <algorithm>

double f(double x) {
#ifndef ACCEPTED
  double a = x;
  const double b = 1;
  // expected-error@+1 {{cannot differentiate: a reference to one of several objects that change}}
  const double& larger = std::max(a, b);
  a *= 2;
  return larger * larger;
#else
  double a = x;
  const double b = 1;
  const double larger = std::max(a, b);
  a *= 2;
  return larger * larger;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
