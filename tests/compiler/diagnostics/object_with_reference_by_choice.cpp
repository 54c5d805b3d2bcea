// An object that keeps references, made in one of two ways.
#include "ddx/ad.h"

struct View {
  double& target;
};

double f(double x) {
  double a = x;
  double b = x * x;
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: an object of type 'View' that active values enter; its member 'target' is a reference}}
  View view = x > 1 ? View{a} : View{b};
  view.target *= 3;
  return a * b;
#else
  View first{a};
  View second{b};
  if (x > 1) {
    first.target *= 3;
  }
  second.target *= 3;
  return a * b;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
