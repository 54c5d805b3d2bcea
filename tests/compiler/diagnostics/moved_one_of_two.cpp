// Of two objects one is moved from, which one is known at run time.
#include "ddx/ad.h"

#include <utility>
#include <vector>

double f(double x) {
  std::vector<double> a{x};
  std::vector<double> b{x * x};
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: a move from an object of type 'std::vector<double>' that may be used again}}
  const std::vector<double> c = x > 0 ? std::move(a) : std::move(b);
#else
  std::vector<double> c;
  if (x > 0) {
    c = std::move(a);
  } else {
    c = std::move(b);
  }
#endif
  a.push_back(1);
  b.push_back(1);
  return c[0] * a[0] * b[0];
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
