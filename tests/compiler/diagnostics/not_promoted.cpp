// RUN-FLAGS: -fplugin-arg-ddx-promote=auto -fplugin-arg-ddx-explain
// What is not promoted is differentiated through memory, and a remark says why. Where that is not possible, the reason
// is an error.
#include "ddx/ad.h"

#include <array>

double halved(double x) {
again:
  x /= 2;
  if (x > 1) {
    goto again;  // expected-remark {{not promoted: a goto statement}}
  }
  return x;
}

double calls(double x) {
  return 3 * halved(x);  // expected-note {{when differentiating this call of 'halved'}}
}

const auto slope = ddx::gradient(calls, 2.0);  // expected-note {{derivative requested here}}

// A derivative that waits for another one, in a function that is not promoted.
double cubed(double x) {
  return x * x * x;
}
double of_a_slope(double x) {
  double y = ddx::derivative(cubed, x);
again:
  y /= 2;
  if (y > 1) {
    goto again;  // expected-remark {{not promoted: a goto statement}}
  }
  return y;
}
const auto waited = ddx::gradient(of_a_slope, 2.0);  // expected-note {{derivative requested here}}

// Registered derivatives are called, and so is what ddx::checkpointed is given.
double checkpointed(double x) {
again:
  x /= 2;
  if (x > 1) {
    goto again;  // expected-remark {{not promoted: a goto statement}}
  }
  return ddx::checkpointed([](double y) { return y * y; }, x);
}
const auto given = ddx::gradient(checkpointed, 2.0);  // expected-note {{derivative requested here}}

double tripled(double x) {
  return 3 * x;
}
DDX_DERIVATIVE_OF(tripled) auto tripled_vjp(double x) {
  return ddx::vjp(3 * x, [](double d) { return 3 * d; });
}
double registered(double x) {
again:
  x = tripled(x);
  if (x < 10) {
    goto again;  // expected-remark {{not promoted: a goto statement}}
  }
  return x;
}
const auto own = ddx::gradient(registered, 2.0);  // expected-note {{derivative requested here}}

// A gradient inside is differentiated as any other code, if it calls no registered derivative.
double of_a_gradient(double x) {
  double y = ddx::gradient([](double z) { return cubed(z); }, x);
again:
  y /= 2;
  if (y > 1) {
    goto again;  // expected-remark {{not promoted: a goto statement}}
  }
  return y;
}
const auto inside = ddx::gradient(of_a_gradient, 2.0);  // expected-note {{derivative requested here}}
