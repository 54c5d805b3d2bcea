// The bits of a number are no function with a derivative.
#include "ddx/ad.h"

#include <cstdint>

double f(double x) {
#ifndef ACCEPTED
  double y = x;
  // expected-error@+1 {{cannot differentiate: a reinterpret_cast}}
  auto& bits = reinterpret_cast<std::uint64_t&>(y);
  bits ^= 1;
  return y * x;
#else
  const int n = 3;
  const unsigned bits = reinterpret_cast<const unsigned&>(n);
  return x * bits;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
