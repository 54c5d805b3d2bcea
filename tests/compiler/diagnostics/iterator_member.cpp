// An iterator in an object that lies in a container goes its own ways.
#include "ddx/ad.h"

#include <vector>

struct Cursor {
  std::vector<double>::const_iterator at;
};

double f(double x) {
  const std::vector<double> v{x, x * x, 1};
  const Cursor cursor{v.begin()};
#ifndef ACCEPTED
  std::vector<Cursor> cursors;
  // expected-error@+1 {{cannot differentiate: the call 'cursors.push_back(cursor)' of 'std::vector<Cursor>::push_back'}}
  cursors.push_back(cursor);
  return *cursors[0].at * x;
#else
  return *cursor.at * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
