// Expressions of valarrays are evaluated late.
#include "ddx/ad.h"

#include <valarray>

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: an object of type 'std::valarray<double>'}}
  std::valarray<double> v(x, 3);
  return v[0] * v[1];
#else
  std::valarray<int> v(2, 3);
  return v[0] * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
