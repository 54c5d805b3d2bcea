// Where the members of a virtual base lie depends on the dynamic type.
#include "ddx/ad.h"

struct Top {
  double value = 0;
};
struct Left : virtual Top {};
struct Right : virtual Top {};
struct Bottom : Left, Right {};

double f(double x) {
#ifndef ACCEPTED
  Bottom b;
  // expected-error@+1 {{cannot differentiate: the virtual base class 'Top'}}
  b.value = x;
  return b.value * x;
#else
  Top t;
  t.value = x;
  return t.value * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
