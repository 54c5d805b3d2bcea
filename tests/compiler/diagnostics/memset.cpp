// Bytes are overwritten without their types.
#include "ddx/ad.h"

#include <cstring>

double f(double x) {
#ifndef ACCEPTED
  double a[2] = {x, x * x};
  // expected-error@+1 {{cannot differentiate: a call of 'memset'}}
  std::memset(reinterpret_cast<unsigned char*>(a), 0, sizeof(double));
  return a[0] + a[1];
#else
  int n[2];
  std::memset(n, 0, sizeof(n));
  return x * (n[0] + 1);
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
