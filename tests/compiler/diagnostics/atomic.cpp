// Another thread may change an atomic object between two reads.
#include "ddx/ad.h"

#include <atomic>

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: an object of type 'std::atomic<double>'}}
  std::atomic<double> y = x;
  return y * 2;
#else
  std::atomic<int> n = 2;
  return x * n;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
