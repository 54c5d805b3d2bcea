// Each pointer that one of two arrays is chosen for doubles the code that names it: six are lowered
// once for each choice, with a seventh the text would grow without bound.
#include "ddx/ad.h"

double f(double x) {
  double a[] = {x, 1.0};
  double b[] = {2.0, x * x};
  const double* p0 = x > 0.0 ? a : b;
  const double* p1 = x > 0.1 ? a : b;
  const double* p2 = x > 0.2 ? a : b;
  const double* p3 = x > 0.3 ? a : b;
  const double* p4 = x > 0.4 ? a : b;
  const double* p5 = x > 0.5 ? a : b;
#ifdef ACCEPTED
  const double* p6 = b;
#else
  const double* p6 = x > 0.6 ? a : b;  // expected-error {{cannot differentiate: a pointer whose target is not known here}}
#endif
  return p0[0] * p1[1] + p2[0] * p3[1] + p4[0] * p5[1] * p6[1];
}

const double slope = ddx::gradient(f, 0.3);  // expected-note {{derivative requested here}}
