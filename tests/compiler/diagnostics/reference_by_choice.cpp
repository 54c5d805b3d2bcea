// Which object a returned reference names depends on the values.
#include "ddx/ad.h"

double& larger(double& a, double& b) {
#ifndef ACCEPTED
  // expected-error@+1 0+ {{cannot differentiate: returning this expression}}
  return a > b ? a : b;
#else
  a *= b;
  return a;
#endif
}

double f(double x) {
#ifndef ACCEPTED
  double a = x;
  double b = 1;
  // expected-error@+2 {{a call of 'larger', which returns a reference chosen at run time}}
  // expected-note@+1 0+ {{when differentiating this call}}
  larger(a, b) *= x;
  return a * b;
#else
  double a = x;
  double b = 1;
  larger(a, b) *= x;
  return a * b;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note 1+ {{derivative requested here}}
