// Which function a std::function holds is known at run time only.
#include "ddx/ad.h"

#include <functional>

double square(double v) {
  return v * v;
}

extern std::function<double(double)> stored;

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: a call through a function pointer whose target is not known here}}
  return stored(x);
#else
  const auto held = square;
  return held(x);
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
