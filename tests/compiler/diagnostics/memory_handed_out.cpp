// Numbers in memory, passed to a function without a visible body.
#include "ddx/ad.h"

extern "C" void scale(int count, double by, double* numbers);

double f(double x) {
  double* numbers = new double[2];
  numbers[0] = x;
  numbers[1] = 2.0;
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: a call of 'scale', whose body is not visible here}}
  scale(2, 3.0, numbers);
#else
  numbers[0] *= 3.0;
#endif
  const double result = numbers[0] * numbers[1];
  delete[] numbers;
  return result;
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
