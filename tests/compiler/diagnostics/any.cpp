// What an any holds is known at run time only.
#include "ddx/ad.h"

#include <any>

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: an object of type 'std::any'}}
  std::any y = x;
  return std::any_cast<double>(y) * x;
#else
  std::any n = 3;
  return std::any_cast<int>(n) * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
