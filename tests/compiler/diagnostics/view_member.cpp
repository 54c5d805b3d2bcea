// A view in an object that lies in a container goes its own ways.
#include "ddx/ad.h"

#include <array>
#include <span>

struct Row {
  std::span<const double> values;
};

double first(const Row& row) { return row.values[0]; }

double f(double x) {
  const double a[2] = {x, x * x};
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: an object of type 'std::array<Row, 1>' that active values enter}}
  const std::array<Row, 1> rows{Row{a}};
  return first(rows[0]) * x;
#else
  return first({a}) * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
