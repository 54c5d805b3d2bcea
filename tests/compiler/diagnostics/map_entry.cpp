// The tangent of a map has values, and no pairs that a function could be handed.
#include "ddx/ad.h"

#include <map>
#include <utility>

#ifndef ACCEPTED
double square(const std::pair<const int, double>& entry) {
  return entry.second * entry.second;
}
#else
double square(double value) {
  return value * value;
}
#endif

double f(double x) {
  std::map<int, double> m{{1, x}};
  double sum = 0;
  for (const auto& entry : m) {
#ifndef ACCEPTED
    // expected-error@+1 {{cannot differentiate: an entry of a map as a whole}}
    sum += square(entry);
#else
    sum += square(entry.second);
#endif
  }
  return sum;
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
