// An array whose number of elements its owner does not know.
#include "ddx/ad.h"

#include <memory>

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: an object of type 'std::unique_ptr<double[]>' that active values enter}}
  const auto y = std::make_unique<double[]>(2);
  y[0] = x;
  return y[0] * x;
#else
  const auto y = std::make_unique<double>(x);
  return *y * *y;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
