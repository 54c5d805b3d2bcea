// error: this one has forgotten a member
#include "ddx/ad/differentiable.h"
#include "ddx/tensor.h"
#include "ddx/tensor/compile.h"

struct Scaled {
  ddx::Tensor<float> weight;
  float factor = 2;

  explicit Scaled(ddx::Tensor<float> given) : weight(given) {}

  DDX_DIFFERENTIABLE(Scaled, weight)
#ifndef DDX_OFFENDING
  DDX_NO_DERIVATIVE(factor)
#endif
};

int main() {
  const auto f = ddx::compile([](const Scaled& s) { return s.weight * s.factor; });
  (void)f(Scaled(ddx::Tensor<float>(1.0F)));
}
