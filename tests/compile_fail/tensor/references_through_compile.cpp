// error: takes and returns no pointers to objects, references, views or iterators
#include "ddx/tensor.h"
#include "ddx/tensor/compile.h"

#include <tuple>

int main() {
  ddx::Tensor<float> x(1.0F);
  float rate = 2;
  const auto f =
      ddx::compile([](const auto& both) { return std::get<0>(both) * std::get<1>(both); });
#ifdef DDX_OFFENDING
  (void)f(std::tie(x, rate));
#else
  (void)f(std::tuple(x, rate));
#endif
}
