// What a std::function holds is known at run time only.
#include "ddx/ad.h"

#include <functional>

double f(double x) {
#ifndef ACCEPTED
  std::function<double(double)> square = [](double v) { return v * v; };
  // expected-error@+1 {{cannot differentiate: call of 'std::function}}
  return square(x);
#else
  const auto square = [](double v) { return v * v; };
  return square(x);
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
