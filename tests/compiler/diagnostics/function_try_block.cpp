// The handler of a function body.
#include "ddx/ad.h"

#include <stdexcept>

#ifndef ACCEPTED
// expected-error@+1 {{cannot differentiate: a try block}}
double guarded(double x) try { return x * x; } catch (const std::domain_error&) {
  return 0;
}
#else
double guarded(double x) {
  return x * x;
}
#endif

double f(double x) {
#ifndef ACCEPTED
  // expected-note@+1 {{when differentiating this call}}
  return guarded(x);
#else
  return guarded(x);
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
