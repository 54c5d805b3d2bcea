// An exception that brings a real number.
#include "ddx/ad.h"

#include <stdexcept>

struct TooLarge {
  double value;
};
struct Large {};

double checked(double x) {
  if (x > 1) {
#ifndef ACCEPTED
    throw TooLarge{x};
#else
    throw Large{};
#endif
  }
  return x * x;
}

double f(double x) {
  double y = 0;
  try {
    y = checked(x);
#ifndef ACCEPTED
    // expected-error@+1 {{cannot differentiate: a handler of 'const TooLarge &', which has real numbers}}
  } catch (const TooLarge& error) {
    y = error.value * x;
  }
#else
  } catch (const Large&) {
    y = x;
  }
#endif
  return y;
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
