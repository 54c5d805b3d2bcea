// A handler that assigns active data; which statements ran before the throw is not recorded.
#include "ddx/ad.h"

#include <stdexcept>

double checked(double x) {
  if (x > 100) {
    throw std::domain_error("too large");
  }
  return x * x;
}

double f(double x) {
#ifndef ACCEPTED
  double y = 0;
  // expected-error@+1 {{cannot differentiate: a try block}}
  try {
    y = checked(x);
  } catch (const std::domain_error&) {
    y = x;
  }
  return y;
#else
  return checked(x);
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
