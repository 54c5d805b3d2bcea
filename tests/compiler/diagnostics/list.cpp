// Nodes of a list are reached through pointers.
#include "ddx/ad.h"

#include <list>

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: an object of type 'std::list<double>'}}
  std::list<double> l;
  l.push_back(x);
  return l.front() * x;
#else
  std::list<int> l;
  l.push_back(3);
  return l.front() * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
