// A field in neither list: was it forgotten?
#include "ddx/ad.h"

struct Model {
  double weight = 1;
  double bias = 0;
#ifndef ACCEPTED
  DDX_DIFFERENTIABLE(Model, weight)
#else
  DDX_DIFFERENTIABLE(Model, weight)
  DDX_NO_DERIVATIVE(bias)
#endif
};

double f(const Model& m) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: the field 'bias' of 'Model'}}
  return m.weight * m.weight + m.bias;
#else
  return m.weight * m.weight + m.bias;
#endif
}

const auto slope = ddx::gradient(f, Model{});  // expected-note {{derivative requested here}}
