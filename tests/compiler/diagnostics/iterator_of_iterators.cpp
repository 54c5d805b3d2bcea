// A vector of iterators says nothing of the sequence that each goes through.
#include "ddx/ad.h"

#include <vector>

double f(double x) {
  const std::vector<double> v{x, x * x, 1};
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: an object of type 'std::vector<std::vector<double>::const_iterator>'}}
  std::vector<std::vector<double>::const_iterator> kept(1);
  return *(kept[0] + (x > 1)) * v[0];
#else
  const std::vector<double>::difference_type kept[1] = {1};
  return v.begin()[kept[0]] * v[0];
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
