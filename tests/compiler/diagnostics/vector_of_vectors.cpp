// Vectors inside a vector.
#include "ddx/ad.h"

#include <vector>

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: this way to make an object of type 'std::vector<std::vector<double>>'}}
  std::vector<std::vector<double>> m(2, std::vector<double>(2, x));
  return m[0][0] * m[1][1];
#else
  std::vector<std::vector<int>> m(2, std::vector<int>(2, 3));
  return m[0][0] * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
