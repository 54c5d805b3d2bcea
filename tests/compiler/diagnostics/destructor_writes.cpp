// A destructor that changes active data runs where no statement stands.
#include "ddx/ad.h"

double last = 0;

struct Log {
  double value;
  ~Log() { last = value; }
};
struct Count {
  int& target;
  ~Count() { ++target; }
};

double f(double x) {
#ifndef ACCEPTED
  double y = x;
  {
    // expected-error@+1 {{cannot differentiate: the destructor of 'Log', written by hand}}
    Log log{y};
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
