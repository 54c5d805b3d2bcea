// The pointee has no name of its own.
#include "ddx/ad.h"

#include <memory>

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: a call of 'std::make_unique', which has no derivative rule}}
  const auto y = std::make_unique<double>(x);
  return *y * *y;
#else
  const auto n = std::make_unique<int>(3);
  return *n * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
