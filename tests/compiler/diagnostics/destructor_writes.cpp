// A destructor that changes active data runs where no statement stands.
#include "ddx/ad.h"

struct Restore {
  double& target;
  ~Restore() { target *= 2; }
};
struct Count {
  int& target;
  ~Count() { ++target; }
};

double f(double x) {
#ifndef ACCEPTED
  double y = x;
  {
    // expected-error@+1 {{cannot differentiate: an object of type 'Restore'}}
    Restore restore{y};
    y *= x;
  }
  return y;
#else
  int n = 0;
  {
    Count count{n};
  }
  return n * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
