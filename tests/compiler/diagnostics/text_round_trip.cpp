// A number that passes through text.
#include "ddx/ad.h"

#include <string>

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: a call of 'std::stod'}}
  return std::stod(std::to_string(x)) * x;
#else
  return std::stod(std::to_string(3)) * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
