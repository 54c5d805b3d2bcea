// Which comes first, the move or the other use, the language leaves open.
#include "ddx/ad.h"

#include <utility>
#include <vector>

std::vector<double> longer(std::vector<double> v, double x) {
  v.push_back(x);
  return v;
}

double f(double x) {
  std::vector<double> v{x};
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: a move from an object of type 'std::vector<double>' that may be used again}}
  v = longer(std::move(v), v.empty() ? x : 2 * x);
#else
  const double last = v.empty() ? x : 2 * x;
  v = longer(std::move(v), last);
#endif
  return v[0] * v.back();
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
