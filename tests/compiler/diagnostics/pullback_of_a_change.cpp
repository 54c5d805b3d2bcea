// A pullback inside differentiated code, of a function that changes what it captures.
// expected-note@pullback_closure.h:* {{the place in the library is here, within the call of 'operator()'}}

#include "ddx/ad.h"

double counted(double x) {
  double calls = 0;
  const auto f = [&calls](double u) {
    calls += u;
    return u * u;
  };
  return ddx::pullback(f, x)(1.0) + calls;  // expected-error {{cannot differentiate: the gradient or pullback 'ddx::pullback(f, x)'}}
}

const double slope = ddx::gradient(counted, 2.0);  // expected-note {{derivative requested here}}
