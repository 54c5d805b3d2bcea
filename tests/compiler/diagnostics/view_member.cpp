// A view that an object holds goes its own ways.
#include "ddx/ad.h"

#include <span>

struct Row {
  std::span<const double> values;
};

double first(const Row& row) { return row.values[0]; }
double first_of(std::span<const double> values) { return values[0]; }

double f(double x) {
  const double a[2] = {x, x * x};
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: an argument of type 'Row' that active values enter}}
  return first({a}) * x;
#else
  return first_of(a) * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
