// Copies of a stored function would each have a state of their own.
#include "ddx/ad.h"

#include <functional>
#include <vector>

double f(double a, double x) {
  std::vector<std::function<double(double)>> functions;
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: a function that is stored, or chosen at run time, and changes when it is called}}
  functions.push_back([a](double v) mutable { return a += v; });
#else
  functions.push_back([a](double v) { return a + v; });
#endif
  return functions[0](x) * functions[0](a);
}

const auto slope = ddx::gradient(f, 2.0, 3.0);  // expected-note {{derivative requested here}}
