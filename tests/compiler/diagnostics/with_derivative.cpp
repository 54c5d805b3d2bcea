// with_derivative changes cotangents: it copies what the change captures, and forward mode has none.
#include "ddx/ad.h"

#include <vector>

double logged(double x) {
  double last = 0;
#ifndef ACCEPTED
  const auto keep = [&last](double d) { return last = d; };
#else
  const auto keep = [last](double d) { return last + d; };
#endif
  x = ddx::with_derivative(x, keep);  // expected-error {{cannot differentiate: the call 'ddx::with_derivative(}}
  return x * x + last;
}

double scaled(double x) {
#ifndef ACCEPTED
  return ddx::with_derivative(x, [](double d) { return 2 * d; });  // expected-error {{cannot differentiate in forward mode: the call of 'with_derivative', for which only a pullback is registered}}
#else
  return 2 * x;
#endif
}

const double slope = ddx::gradient(logged, 2.0);   // expected-note {{derivative requested here}}
const double change = ddx::derivative(scaled, 2.0);  // expected-note {{derivative requested here}}
