// Active values may not leave in an object whose inside is not known, whatever reads it later.
#include "ddx/ad.h"

#include <set>

struct Handle {
  std::multiset<double> p;
};
Handle make(double x) {
  return {{x}};
}
double get(const Handle& handle) {
  return *handle.p.begin();
}

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: an argument of type 'Handle' that active values enter}}
  return get(make(x)) * x;
#else
  return get(make(3)) * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
