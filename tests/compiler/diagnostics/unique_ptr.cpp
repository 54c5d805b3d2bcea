// An array whose elements are given where it is made.
#include "ddx/ad.h"

#include <memory>

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: an object of type 'std::unique_ptr<double[]>' that active values enter}}
  const std::unique_ptr<double[]> y(new double[2]{x, 1.0});
#else
  const auto y = std::make_unique<double[]>(2);
  y[0] = x;
#endif
  return y[0] * x + y[1];
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
