// Which element an iterator denotes depends on the values.
#include "ddx/ad.h"

#include <vector>

double f(double x) {
  const std::vector<double> v{x, x * x, 1};
  const std::vector<double> w{2 * x, 1};
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: the iterator 'i' over active values}}
  const auto i = x > 1 ? v.begin() : w.begin();
#else
  const auto i = v.end() - 1;
#endif
  return *i * w[0];
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
