// Different callers may pass different functions.
#include "ddx/ad.h"

double square(double x) {
  return x * x;
}
double cube(double x) {
  return x * x * x;
}

#ifndef ACCEPTED
double apply(double (*function)(double), double x) {
  // expected-error@+1 {{cannot differentiate: a call through a function pointer whose target is not known here}}
  return function(x);
}
#else
template <class F>
double apply(F function, double x) {
  return function(x);
}
#endif

double f(double x) {
#ifndef ACCEPTED
  double (*function)(double) = x > 1 ? square : cube;
  // expected-note@+1 {{when differentiating this call}}
  return apply(function, x);
#else
  return apply([](double v) { return square(v) + cube(v); }, x);
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
