// An iterator that an object holds goes its own ways.
#include "ddx/ad.h"

#include <vector>

struct Cursor {
  std::vector<double>::const_iterator at;
};

double f(double x) {
  const std::vector<double> v{x, x * x, 1};
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: an object of type 'Cursor' that active values enter}}
  const Cursor cursor{v.begin()};
  return *cursor.at * x;
#else
  const auto at = v.begin();
  return *at * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
