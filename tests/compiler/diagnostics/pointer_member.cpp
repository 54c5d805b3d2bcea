// A pointer in an object that lies in a container.
#include "ddx/ad.h"

#include <array>

struct View {
  double* target;
};

double f(double x) {
  double a = x;
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: an object of type 'std::array<View, 1>' that active values enter}}
  std::array<View, 1> views{View{&a}};
  *views[0].target *= 3;
  return a * *views[0].target;
#else
  View view{&a};
  *view.target *= 3;
  return a * *view.target;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
