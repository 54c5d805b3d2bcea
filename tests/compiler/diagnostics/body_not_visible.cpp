// A function that is only declared here.
#include "ddx/ad.h"

double elsewhere(double x);
int count_elsewhere(int n);

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: a call of 'elsewhere'}}
  return elsewhere(x) * x;
#else
  const int n = 3;
  return n > 5 ? x * count_elsewhere(n) : x * n;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
