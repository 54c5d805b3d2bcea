// A member that refers to an object elsewhere.
#include "ddx/ad.h"

struct View {
  double& target;
};
struct Copy {
  double value;
};

double f(double x) {
#ifndef ACCEPTED
  double a = x;
  // expected-error@+1 {{cannot differentiate: an object of type 'View' that active values enter; its member 'target' is a reference}}
  View view{a};
  view.target *= 3;
  return a * view.target;
#else
  double a = x;
  Copy copy{a};
  copy.value *= 3;
  return a * copy.value;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
