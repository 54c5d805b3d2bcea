// The class of an object behind a base is known at run time only.
#include "ddx/ad.h"

template <class Derived>
struct Twice {
  double twice() const {
#ifndef ACCEPTED
    // expected-error@+1 {{cannot differentiate: a cast to a derived class}}
    const double v = static_cast<const Derived*>(this)->value();
#else
    const double v = 1;
#endif
    return 2 * v;
  }
};

struct Number : Twice<Number> {
  double v = 0;
  double value() const { return v * v; }
};

double f(double x) {
#ifndef ACCEPTED
  Number n;
  n.v = x;
  // expected-note@+1 {{when differentiating this call}}
  return n.twice() * x;
#else
  Number n;
  n.v = x;
  return n.twice() * n.value();
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
