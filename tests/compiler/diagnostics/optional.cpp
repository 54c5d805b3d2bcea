// An optional is made of another kind of optional.
#include "ddx/ad.h"

#include <optional>

double f(double x) {
  const std::optional<double> y = x;
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: the initialisation of an object of type 'std::optional<long double>' by 'y'}}
  const std::optional<long double> z = y;
#else
  const std::optional<long double> z = *y;
#endif
  return static_cast<double>(*z * *z);
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
