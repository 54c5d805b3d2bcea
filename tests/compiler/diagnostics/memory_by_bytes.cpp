// Numbers in memory that the C library moves as bytes.
#include "ddx/ad.h"

#include <algorithm>
#include <cstring>

double f(double x) {
  double* from = new double[2];
  double* to = new double[2];
  from[0] = x;
  from[1] = 2.0;
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: a call of 'memcpy', whose body is not visible here}}
  std::memcpy(to, from, 2 * sizeof(double));
#else
  std::copy(from, from + 2, to);
#endif
  const double result = to[0] * to[1];
  delete[] from;
  delete[] to;
  return result;
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
