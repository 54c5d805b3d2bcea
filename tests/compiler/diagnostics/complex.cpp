// Complex numbers are not built in yet.
#include "ddx/ad.h"

#include <complex>

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: an object of type 'std::complex<double>'}}
  const std::complex<double> z(x, 1);
  return std::norm(z * z);
#else
  const std::complex<int> z(2, 1);
  return z.real() * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
