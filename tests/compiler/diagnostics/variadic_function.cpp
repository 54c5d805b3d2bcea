// The types of variadic arguments are known at run time only.
#include "ddx/ad.h"

#include <cstdarg>

double sum(int count, ...) {
  std::va_list list;
  va_start(list, count);
  double s = 0;
  for (int i = 0; i < count; ++i) {
    s += va_arg(list, double);
  }
  va_end(list);
  return s;
}

double sum_of(double a, double b) {
  return a + b;
}

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: an argument of a variadic function}}
  return sum(2, x, x * x);
#else
  return sum_of(x, x * x) * sum(1, 2.0);
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
