// What a std::function holds is known at run time only.
#include "ddx/ad.h"

#include <functional>

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: an object of type 'std::function<double (double)>'}}
  std::function<double(double)> square = [](double v) { return v * v; };
  return square(x);
#else
  const auto square = [](double v) { return v * v; };
  return square(x);
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
