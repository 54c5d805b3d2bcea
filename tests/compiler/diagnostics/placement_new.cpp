// Storage of one type comes to hold an object of another.
#include "ddx/ad.h"

#include <new>

double f(double x) {
#ifndef ACCEPTED
  alignas(double) unsigned char storage[sizeof(double)];
  // expected-error@+1 {{cannot differentiate: 'new'}}
  double* y = new (storage) double(x);
  return *y * x;
#else
  alignas(int) unsigned char storage[sizeof(int)];
  int* n = new (storage) int(3);
  return *n * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
