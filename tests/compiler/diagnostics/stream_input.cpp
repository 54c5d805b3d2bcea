// A stream that overwrites an active variable.
#include "ddx/ad.h"

#include <sstream>

double f(double x) {
#ifndef ACCEPTED
  std::istringstream in("3 4");
  double y = x;
  // expected-error@+1 {{cannot differentiate: a call of 'std::basic_istream<char>::operator>>', which has no derivative rule}}
  in >> y;
  return y * x;
#else
  std::istringstream in("3 4");
  int n = 0;
  in >> n;
  return n * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
