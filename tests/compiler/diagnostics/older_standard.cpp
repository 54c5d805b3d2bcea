// RUN-FLAGS: -std=c++17
// One error, not one for each line that an older standard does not have.
// expected-error@*:* {{ddx needs C++20; compile with -std=c++20 or later}}
#include "ddx/ad.h"

double f(double x) {
  return x * x;
}

const auto slope = ddx::gradient(f, 2.0);
