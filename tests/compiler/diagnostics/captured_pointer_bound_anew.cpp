// Calls of a lambda are handed where a captured pointer into memory leads: it may not be changed
// there.
#include "ddx/ad.h"
#include <memory>

struct Pair {
  double a = 0;
  double b = 0;
};

double f(double x) {
  auto m = std::make_unique<Pair>();
  m->a = x;
  m->b = x * x;
  double* p = &m->a;
#ifndef ACCEPTED
  const auto next = [&]() -> double {
    const double y = *p;
    // expected-error@+1 {{cannot differentiate: a pointer that is bound again}}
    p = &m->b;
    return y;
  };
  return next() * next();
#else
  const auto next = [&]() -> double { return *p; };
  const double y = next();
  p = &m->b;
  return y * next();
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
