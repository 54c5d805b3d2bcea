// The bits of a number are no function with a derivative.
#include "ddx/ad.h"

#include <bit>
#include <cstdint>

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: a call of 'std::bit_cast', which has no derivative rule}}
  const auto bits = std::bit_cast<std::uint64_t>(x);
  return std::bit_cast<double>(bits + 1);
#else
  const auto two = std::bit_cast<double>(std::uint64_t{0x4000000000000000});
  return x * two;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
