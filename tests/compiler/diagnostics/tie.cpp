// A tuple of references.
#include "ddx/ad.h"

#include <tuple>
#include <utility>

double f(double x) {
#ifndef ACCEPTED
  double a = 0;
  double b = 0;
  // expected-error@+1 {{cannot differentiate: a call of 'std::tuple<double &, double &>::operator=', which has no derivative rule}}
  std::tie(a, b) = std::pair<double, double>{x, x * x};
  return a * b;
#else
  int a = 0;
  int b = 0;
  std::tie(a, b) = std::pair<int, int>{1, 2};
  return x * a * b;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
