// The bits of a number are no function with a derivative.
#include "ddx/ad.h"

#include <cstdint>

double f(double x) {
#ifndef ACCEPTED
  double y = x;
  // expected-error@+1 {{cannot differentiate: a reference to this expression}}
  auto& bits = reinterpret_cast<std::uint64_t&>(y);
  // expected-error@+1 0+ {{cannot differentiate}}
  bits ^= 1;
  return y * x;
#else
  const int n = 3;
  const auto& bits = reinterpret_cast<const unsigned&>(n);
  return x * bits;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note 1+ {{derivative requested here}}
