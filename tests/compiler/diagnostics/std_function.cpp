// What a global std::function holds is known at run time only.
#include "ddx/ad.h"

#include <functional>

double square(double v) {
  return v * v;
}

std::function<double(double)> stored = square;

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: a call through a function pointer whose target is not known here}}
  return stored(x);
#else
  const std::function<double(double)> held = square;
  return held(x);
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
