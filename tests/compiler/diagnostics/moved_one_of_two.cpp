// Of two objects one is moved from, which one is known at run time.
#include "ddx/ad.h"

#include <utility>
#include <vector>

double f(double x) {
  std::vector<double> a{x};
  std::vector<double> b{x * x};
  const std::vector<double> c = x > 0 ? std::move(a) : std::move(b);
#ifndef ACCEPTED
  // expected-error@-2 {{cannot differentiate: a move from an object of type 'std::vector<double>' that may be used again}}
  b.push_back(1);
#endif
  return c[0];
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
