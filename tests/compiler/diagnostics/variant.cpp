// Which alternative a variant holds is known at run time only.
#include "ddx/ad.h"

#include <variant>

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: an object of type 'std::variant<double, int>'}}
  std::variant<double, int> y = x;
  return std::get<double>(y) * x;
#else
  std::variant<long, int> n = 3;
  return std::get<int>(n) * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
