// A value takes another type when a variant is made of it.
#include "ddx/ad.h"

#include <variant>

double f(double x) {
#ifndef ACCEPTED
  const float narrow = static_cast<float>(x);
  // expected-error@+1 {{cannot differentiate: the initialisation of an object of type 'std::variant<double, int>' by 'narrow'}}
  std::variant<double, int> y = narrow;
#else
  std::variant<double, int> y = x;
#endif
  return std::get<double>(y) * x;
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
