// error: takes and returns no pointers to objects, references, views or iterators
#include "ddx/ad/differentiable.h"
#include "ddx/tensor.h"
#include "ddx/tensor/compile.h"

#include <optional>
#include <utility>
#include <vector>

struct Scaled {
  ddx::Tensor<float> weight;
#ifdef DDX_OFFENDING
  std::optional<std::vector<std::pair<int, const float*>>> factors;
#else
  std::optional<std::vector<std::pair<int, float>>> factors;
#endif

  DDX_DIFFERENTIABLE(Scaled, weight)
  DDX_NO_DERIVATIVE(factors)
};

int main() {
  const auto f = ddx::compile([](const Scaled& s) { return s.weight; });
  (void)f(Scaled{ddx::Tensor<float>(1.0F), {}});
}
