// Which function a pointer to member names is known at run time only.
#include "ddx/ad.h"

struct Scale {
  double factor;
  double apply(double x) const { return factor * x; }
};

double (Scale::*method)(double) const = &Scale::apply;

double f(double x) {
#ifndef ACCEPTED
  const Scale scale{x};
  // expected-error@+1 {{cannot differentiate: a call through a pointer to member}}
  return (scale.*method)(x);
#else
  const Scale scale{x};
  return scale.apply(x);
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
