// Algorithms over iterators.
#include "ddx/ad.h"

#include <numeric>
#include <vector>

double f(double x) {
#ifndef ACCEPTED
  const std::vector<double> v{x, x * x, 1};
  // expected-error@+1 {{cannot differentiate: a call of 'std::accumulate'}}
  return std::accumulate(v.begin(), v.end(), 0.0);
#else
  const std::vector<int> v{3, 1, 2};
  return x * std::accumulate(v.begin(), v.end(), 0);
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
