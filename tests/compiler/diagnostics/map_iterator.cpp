// An iterator goes through one map, that in which it was made.
#include "ddx/ad.h"

#include <map>

double f(double x) {
  std::map<int, double> m{{1, x}};
  std::map<int, double> n{{1, x * x}};
  auto i = m.find(1);
  if (x > 0) {
#ifndef ACCEPTED
    // expected-error@+1 {{cannot differentiate: this call of 'std::_Rb_tree_iterator}}
    i = n.find(1);
#else
    i = m.begin();
#endif
  }
  return i->second * n[1];
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
