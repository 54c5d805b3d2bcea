// A vector type of the compiler.
#include "ddx/ad.h"

using Four = double __attribute__((vector_size(32)));
using FourInts = int __attribute__((vector_size(16)));

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: the vector type 'Four'}}
  const Four v = {x, x, 1, 2};
  return v[0] * v[1];
#else
  const FourInts v = {1, 2, 3, 4};
  return v[1] * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
