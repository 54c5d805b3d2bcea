// Bytes are copied from one type to another.
#include "ddx/ad.h"

#include <cstdint>
#include <cstring>

double f(double x) {
#ifndef ACCEPTED
  const double from[2] = {x, x * x};
  std::uint64_t bits[2];
  double to[2];
  // expected-error@+1 {{cannot differentiate: a call of 'memcpy'}}
  std::memcpy(bits, from, sizeof(to));
  std::memcpy(to, bits, sizeof(to));
  return to[0] * to[1];
#else
  const int from[2] = {1, 2};
  int to[2];
  std::memcpy(to, from, sizeof(to));
  return x * to[1];
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
