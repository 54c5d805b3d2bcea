// A loop whose range is no array or vector has no body to walk backwards.
#include "ddx/ad.h"

#include <initializer_list>

double f(double x) {
  double s = 0;
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: a range-for over 'std::initializer_list<int>'}}
  for (const int i : {1, 2, 3}) {
#else
  const int numbers[] = {1, 2, 3};
  for (const int i : numbers) {
#endif
    s += x * i;
  }
  return s;
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
