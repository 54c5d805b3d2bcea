// What a call has changed when it throws is not known.
#include "ddx/ad.h"

#include <stdexcept>

void advance(double& x) {
  x = x * x;
  if (x > 100) {
    throw std::domain_error("too large");
  }
}

double advanced(double x) {
  advance(x);
  return x;
}

double f(double x) {
  double y = x;
  try {
#ifndef ACCEPTED
    // expected-error@+1 {{cannot differentiate: a call of 'advance' in a try block, which may throw after it has changed an active object}}
    advance(y);
#else
    y = advanced(y);
#endif
  } catch (const std::domain_error&) {
    y = x;
  }
  return y;
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
