// RUN-FLAGS: -fplugin-arg-ddx-promote=auto
// A second derivative through memory of code that starts threads: the error is where the user asks for it.
#include "ddx/ad.h"

#include <thread>

double threaded(double x) {
  double square = 0;
#ifdef ACCEPTED
  square = x * x;
#else
  std::thread([&] { square = x * x; }).join();
#endif
  return square * x;
}

const auto first = ddx::gradient([](double x) { return threaded(x); }, 1.5);
// expected-error@+2:26 {{a derivative of a derivative of code that starts threads}}
// expected-note@+1:26 {{derivative requested here}}
const auto second = ddx::hvp([](double x) { return threaded(x); }, 1.5, 1.0);
