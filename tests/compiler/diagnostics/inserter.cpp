// An inserting iterator refers to no element.
#include "ddx/ad.h"

#include <algorithm>
#include <iterator>
#include <vector>

double f(double x) {
  const std::vector<double> v{x, x * x};
#ifndef ACCEPTED
  std::vector<double> w;
  // expected-error@+1 {{cannot differentiate: a call of 'std::copy', which has no derivative rule}}
  std::copy(v.begin(), v.end(), std::inserter(w, w.begin()));
#else
  std::vector<double> w;
  std::copy(v.begin(), v.end(), std::back_inserter(w));
#endif
  return w[0] * w[1];
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
