// What is captured by reference may change between the calls of a function that is stored.
#include "ddx/ad.h"

#include <functional>
#include <span>
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

double by_view(const std::vector<double>& x) {
  std::vector<std::function<double(double)>> functions;
#ifndef ACCEPTED
  const std::span<const double> part(x);
  // expected-error@+1 {{cannot differentiate: a function that is stored, or chosen at run time, and captures 'part' in this way}}
  functions.push_back([part](double v) { return part[0] * v; });
  // expected-error@+1 {{cannot differentiate: a function that is stored, or chosen at run time, and captures 'at' in this way}}
  functions.push_back([at = x.begin()](double v) { return at[1] * v; });
#else
  functions.push_back([by = x[0]](double v) { return by * v; });
#endif
  return functions[0](x[1]);
}

const auto slopes = ddx::gradient(by_view, std::vector{2.0, 3.0});  // expected-note 2 {{derivative requested here}}
