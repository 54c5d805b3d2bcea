// Whether an optional holds a value is known at run time only.
#include "ddx/ad.h"

#include <optional>

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: an object of type 'std::optional<double>'}}
  std::optional<double> y = x;
  return *y * *y;
#else
  std::optional<int> n = 3;
  return *n * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
