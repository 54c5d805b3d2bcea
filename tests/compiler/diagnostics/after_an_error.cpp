// RUN-FLAGS: -fplugin-arg-ddx-promote=auto
// After an error, a function that goes through memory is no further one.
#include "ddx/ad.h"

struct Spring {
  double stiffness;
  double length;
  DDX_DIFFERENTIABLE(Spring, stiffness)
};

double energy(const Spring& spring) {
  // expected-error@+1 {{cannot differentiate: the field 'length' of 'Spring'}}
  return spring.stiffness * spring.length;
}

const auto of_spring = ddx::gradient(energy, Spring{2, 1});  // expected-note {{derivative requested here}}

double halved(double x) {
again:
  x /= 2;
  if (x > 1) {
    goto again;
  }
  return x;
}

const auto slope = ddx::gradient(halved, 2.0);
