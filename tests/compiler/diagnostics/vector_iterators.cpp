// An iterator stays within the vector that it was made for.
#include "ddx/ad.h"

#include <vector>

double f(double x) {
  const std::vector<double> v{x, x * x, 1};
  const std::vector<double> w{2 * x, 1};
  double s = 0;
  auto i = v.begin();
  s += *i;
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: a pointer that is bound again}}
  i = w.begin();
#else
  i = v.end() - 1;
#endif
  return s * *i;
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
