// A unit that is wrong in itself is judged by Clang alone, and the compiler stands it.
#include "ddx/ad.h"

#ifndef ACCEPTED
template <class T>
T scaled(T x) {
  return x * factor;  // expected-error {{use of undeclared identifier 'factor'}}
}

struct Incomplete;
#endif

double f(double x) {
#ifndef ACCEPTED
  double y = ;                   // expected-error {{expected expression}}
  const Incomplete* part = &y;   // expected-error {{cannot initialize}}
  for (int i = 0; i < n; ++i) {  // expected-error {{use of undeclared identifier 'n'}}
    y += scaled(x);
  }
  return y + missing(x);  // expected-error {{use of undeclared identifier 'missing'}}
#else
  return x * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);
