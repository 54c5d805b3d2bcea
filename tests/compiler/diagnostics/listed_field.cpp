// A listed member whose class has numbers and names no tangent.
#include "ddx/ad.h"

struct Point {
  double x = 1;
  double y = 2;
#ifdef ACCEPTED
  DDX_DIFFERENTIABLE(Point, x, y)
#endif
};

struct Spring {
  Point stretch;
  double stiffness = 1;
  DDX_DIFFERENTIABLE(Spring, stretch, stiffness)
};

double energy(const Spring& s) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: the field 'stretch' of 'Spring', listed in DDX_DIFFERENTIABLE, whose type 'Point' has no tangent}}
  return s.stiffness * s.stretch.x * s.stretch.y;
#else
  return s.stiffness * s.stretch.x * s.stretch.y;
#endif
}

const auto slope = ddx::gradient(energy, Spring{});  // expected-note {{derivative requested here}}
