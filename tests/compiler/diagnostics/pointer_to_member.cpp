// Which member a pointer to member names is known at run time only.
#include "ddx/ad.h"

struct Point {
  double x;
  double y;
};

double Point::* coordinate = &Point::y;

double f(double x) {
#ifndef ACCEPTED
  Point p{x, x * x};
  // expected-error@+1 {{cannot differentiate: a pointer to member}}
  return p.*coordinate;
#else
  Point p{x, x * x};
  return p.y;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
