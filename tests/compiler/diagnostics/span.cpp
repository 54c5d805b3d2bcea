// Views carry no tangents yet.
#include "ddx/ad.h"

#include <span>

double sum(std::span<const double> values) {
  double s = 0;
  for (const double v : values) {
    s += v;
  }
  return s;
}
double sum_of(const double (&values)[2]) {
  return values[0] + values[1];
}

double f(double x) {
  const double a[2] = {x, x * x};
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: an argument of type 'std::span<const double>' that active values enter}}
  return sum(a) * x;
#else
  return sum_of(a) * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
