// A view stays with the elements that it was made for.
#include "ddx/ad.h"

#include <span>

double f(double x) {
  const double a[2] = {x, x * x};
  const double b[2] = {1, x};
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: the view 'values', whose elements are not known here}}
  std::span<const double> values(a);
  if (x > 1) {
    values = b;
  }
  return values[0] * x;
#else
  const std::span<const double> values(a);
  return (x > 1 ? b[0] : values[0]) * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
