// A value takes another type when a variant is made of it.
#include "ddx/ad.h"

#include <variant>

double f(double x) {
#ifndef ACCEPTED
  const float narrow = static_cast<float>(x);
  // expected-error@+1 {{cannot differentiate: this way to make an object of type 'std::variant<double, int>'}}
  std::variant<double, int> y = narrow;
#else
  std::variant<double, int> y = x;
#endif
  return std::get<double>(y) * x;
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
