// An algorithm that no plain loop replaces.
#include "ddx/ad.h"

#include <algorithm>
#include <vector>

double f(double x) {
#ifndef ACCEPTED
  std::vector<double> v{x, x * x, 1};
  // expected-error@+1 {{cannot differentiate: a call of 'std::next_permutation'}}
  if (std::next_permutation(v.begin(), v.end())) {
    v[0] *= x;
  }
  return v[0] * v[1];
#else
  std::vector<int> v{3, 1, 2};
  std::next_permutation(v.begin(), v.end());
  return x * v[0];
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
