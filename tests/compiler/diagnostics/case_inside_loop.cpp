// A case label inside a loop inside the switch.
#include "ddx/ad.h"

double f(double x) {
#ifndef ACCEPTED
  double s = x;
  int n = 5;
  switch (n % 2) {
    case 0:
      do {
        s *= x;
        // expected-error@+1 {{cannot differentiate: a case label inside another statement}}
        case 1:
          s += x;
      } while (--n > 0);
  }
  return s;
#else
  double s = x;
  for (int n = 5; n > 0; --n) {
    switch (n % 2) {
      case 0:
        s *= x;
        break;
      case 1:
        s += x;
    }
  }
  return s;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
