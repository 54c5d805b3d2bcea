// Which object a returned reference names depends on the values.
#include "ddx/ad.h"

double& larger(double& a, double& b) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: a function that returns a reference chosen at run time}}
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
  double& most = larger(a, b);  // expected-note {{when differentiating this call}}
  most *= x;
  return a * b;
#else
  double a = x;
  double b = 1;
  larger(a, b) *= x;
  return a * b;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
