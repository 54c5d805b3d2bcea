// Whether an optional holds a value is known at run time only.
#include "ddx/ad.h"

#include <optional>

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+2 {{cannot differentiate: an object of type 'std::optional<double>'}}
  // expected-error@+1 0+ {{cannot differentiate}}
  std::optional<double> y = x;
  // expected-error@+1 0+ {{cannot differentiate}}
  return *y * *y;
#else
  std::optional<int> n = 3;
  return *n * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note 1+ {{derivative requested here}}
