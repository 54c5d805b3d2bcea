// No function of the unit can be what the pointer points to.
#include "ddx/ad.h"

double power(double x, int n) {
  return n == 0 ? 1.0 : x * power(x, n - 1);
}
extern double (*chosen)(double, int);

#ifndef ACCEPTED
// expected-error@+1 {{cannot differentiate: a function pointer whose target is not named in this unit}}
const auto slope = ddx::gradient(chosen, ddx::wrt<0>, 2.0, 3);
#else
double (*const known)(double, int) = power;
const auto slope = ddx::gradient(chosen, ddx::wrt<0>, 2.0, 3) + ddx::gradient(known, ddx::wrt<0>, 2.0, 3);
#endif
