// A member that points to an object elsewhere.
#include "ddx/ad.h"

struct View {
  double* target;
};
struct Counter {
  int* target;
};

double f(double x) {
#ifndef ACCEPTED
  double a = x;
  // expected-error@+1 {{cannot differentiate: an object of type 'View' that active values enter; its member 'target' is a pointer}}
  View view{&a};
  *view.target *= 3;
  return a * *view.target;
#else
  int n = 2;
  Counter counter{&n};
  *counter.target *= 3;
  return x * n;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
