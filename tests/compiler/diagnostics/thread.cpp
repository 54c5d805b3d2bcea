// Another thread writes active data.
#include "ddx/ad.h"

#include <thread>

double f(double x) {
#ifndef ACCEPTED
  double y = x;
  // expected-error@+1 {{cannot differentiate: an object of type 'std::thread'}}
  std::thread worker([&] { y *= x; });
  worker.join();
  return y;
#else
  int n = 3;
  std::thread worker([](int* count) { ++*count; }, &n);
  worker.join();
  return n * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
