// A variant that is moved from and used again: what it holds is left empty.
#include "ddx/ad.h"

#include <utility>
#include <variant>
#include <vector>

using Choice = std::variant<double, std::vector<double>>;

double f(double x) {
  Choice a = std::vector<double>{x, x * x};
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: a move from an object of type 'Choice' that may be used again}}
  Choice b = std::move(a);
#else
  Choice b = a;
#endif
  a = Choice(x);
  return std::get<1>(b)[1] * std::get<0>(a);
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
