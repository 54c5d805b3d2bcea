// A vector that is made with an allocator of its own.
#include "ddx/ad.h"

#include <memory>
#include <vector>

double f(double x) {
  const std::vector<std::vector<double>> rows(2, std::vector<double>(2, x));
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: the initialisation of an object of type 'std::vector<std::vector<double>>' by 'm(rows, std::allocator}}
  const std::vector<std::vector<double>> m(rows, std::allocator<std::vector<double>>());
#else
  const std::vector<std::vector<double>> m(rows);
#endif
  return m[0][0] * m[1][1];
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
