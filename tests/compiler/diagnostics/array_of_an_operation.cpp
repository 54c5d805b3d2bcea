// What an operation on untyped arrays makes of a tensor's array holds its numbers; no derivative
// follows them.
#include "ddx/ad.h"
#include "ddx/tensor.h"

using Doubles = ddx::Tensor<double>;

Doubles f(const Doubles& x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: a value of type 'Doubles' that active values enter}}
  return ddx::sum(Doubles(ddx::detail::unary(ddx::ops::Op::exp, x.array())));
#else
  return ddx::sum(ddx::exp(x));
#endif
}

const auto slope = ddx::gradient(f, ddx::ones<double>({3}));  // expected-note {{derivative requested here}}
