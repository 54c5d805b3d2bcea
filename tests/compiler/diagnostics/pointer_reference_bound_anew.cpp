// A function is handed where a pointer into memory leads, not the variable: it may not be changed
// there.
#include "ddx/ad.h"
#include <memory>

struct Pair {
  double a = 0;
  double b = 0;
};

#ifndef ACCEPTED
double next(double*& p, Pair& m) {
  const double y = *p;
  // expected-error@+1 {{cannot differentiate: a pointer that is bound again}}
  p = &m.b;
  return y;
}
#else
double next(double*& p, Pair& m) {
  *p += m.b;
  return *p;
}
#endif

double f(double x) {
  auto m = std::make_unique<Pair>();
  m->a = x;
  m->b = x * x;
  double* p = &m->a;
  const double y = next(p, *m);  // expected-note {{when differentiating this call of 'next'}}
  return y * *p;
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
