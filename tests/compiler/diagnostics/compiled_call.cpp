// What ddx::compile makes is a graph: the function that takes the derivative is what to compile.
#include "ddx/ad.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/compile.h"

using Reals = ddx::Tensor<float>;

Reals square(const Reals& x) {
  return x * x;
}

#ifdef ACCEPTED
Reals f(const Reals& x) {
  return square(x);
}

const auto compiled = ddx::compile([](const Reals& x) { return ddx::gradient(f, x); });
const Reals slope = compiled(Reals(2.0F));
#else
const auto compiled = ddx::compile(square);

Reals f(const Reals& x) {
  return compiled(x);  // expected-error {{a call of a function that ddx::compile has made}} expected-note@*:* {{the place in the library}}
}

const Reals slope = ddx::gradient(f, Reals(2.0F));  // expected-note {{derivative requested here}}
#endif
