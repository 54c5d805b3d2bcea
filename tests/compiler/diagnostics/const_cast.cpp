// A const parameter is taken for one that does not change.
#include "ddx/ad.h"

#ifndef ACCEPTED
double doubled(const double& c) {
  // expected-error@+1 {{cannot differentiate: a cast that takes const away}}
  const_cast<double&>(c) *= 2;
  return c * c;
}
#else
double doubled(double& c) {
  c *= 2;
  return c * c;
}
#endif

double f(double x) {
  double a = x * x;
  // expected-note@+1 {{when differentiating this call of 'doubled'}}
  const double r = doubled(a);
  return r * a;
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
