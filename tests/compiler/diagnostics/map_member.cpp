// Members that move nodes from one map to another.
#include "ddx/ad.h"

#include <unordered_map>

double f(double x) {
  std::unordered_map<int, double> m{{1, x}};
  std::unordered_map<int, double> n{{2, x * x}};
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: this call of 'std::unordered_map}}
  m.merge(n);
#else
  for (const auto& [key, value] : n) {
    m.try_emplace(key, value);
  }
#endif
  return m[1] * m[2];
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
