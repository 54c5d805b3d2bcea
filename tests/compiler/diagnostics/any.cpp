// What an any holds is known at run time only.
#include "ddx/ad.h"

#include <any>

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+2 {{cannot differentiate: an object of type 'std::any'}}
  // expected-error@+1 0+ {{cannot differentiate}}
  std::any y = x;
  // expected-error@+1 0+ {{cannot differentiate}}
  return std::any_cast<double>(y) * x;
#else
  std::any n = 3;
  return std::any_cast<int>(n) * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note 1+ {{derivative requested here}}
