// A reassigned pointer member: its target is known only at run time.
#include "ddx/ad.h"

struct Row {
  const double* data;
  int n;
};

double f(double x) {
  const double a[2] = {x, x * x};
  const double b[2] = {1, x};
  Row row{a, 2};
#ifndef ACCEPTED
  if (x > 1) {
    // expected-error@+1 {{cannot differentiate: a pointer that is bound again}}
    row.data = b;
  }
  return row.data[1] * x;
#else
  row.n = 1;
  return row.data[row.n] * b[1];
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
