// What is captured by reference may change between the calls of a function that is stored.
#include "ddx/ad.h"

#include <functional>
#include <vector>

double f(double a, double x) {
  std::vector<std::function<double(double)>> functions;
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: a function that is stored, or chosen at run time, and captures 'a' in this way}}
  functions.push_back([&a](double v) { return a * v; });
#else
  functions.push_back([a](double v) { return a * v; });
#endif
  a *= 2;
  return functions[0](x) * a;
}

const auto slope = ddx::gradient(f, 2.0, 3.0);  // expected-note {{derivative requested here}}
