// A checkpointed call is made twice, so the function must change nothing.
#include "ddx/ad.h"

double f(double x) {
  double sum = 0;
  const auto add = [&](double a) {
#ifndef ACCEPTED
    sum += a;
#endif
    return a * a * sum;
  };
  return ddx::checkpointed(add, x) + sum;  // expected-error {{cannot differentiate: the checkpointed call 'ddx::checkpointed(}}
}

const double slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
