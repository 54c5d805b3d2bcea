// A range-for whose body resizes what it runs through.
#include "ddx/ad.h"

#include <vector>

double f(double x) {
  std::vector<double> v{x, 2 * x};
  double sum = 0.0;
#ifndef ACCEPTED
  for (const double y : v) {  // expected-error {{cannot differentiate: a loop whose body resizes the sequence that it runs through}}
    if (v.size() < 4) {
      v.push_back(y * x);
    }
    sum += y;
  }
#else
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (v.size() < 4) {
      v.push_back(v[i] * x);
    }
    sum += v[i];
  }
#endif
  return sum;
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
