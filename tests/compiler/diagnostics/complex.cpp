// Complex numbers that are built into the language are not followed; std::complex is.
#include "ddx/ad.h"

#include <complex>

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: a value of type '_Complex double' that active values enter}}
  const _Complex double z = x;
  return __real__ z * x;
#else
  const std::complex<double> z(x, 1);
  return std::norm(z * z);
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
