// The dynamic type is known at run time only.
#include "ddx/ad.h"

struct Base {
  double value = 1;
  virtual ~Base() = default;
};
struct Derived : Base {};

double f(double x) {
#ifndef ACCEPTED
  Derived d;
  Base& b = d;
  // expected-error@+1 {{cannot differentiate: a dynamic_cast}}
  dynamic_cast<Derived&>(b).value = x;
  return d.value * x;
#else
  Derived d;
  Base& b = d;
  return dynamic_cast<Derived*>(&b) != nullptr ? x * x : x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
