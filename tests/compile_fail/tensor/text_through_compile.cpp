// error: takes and returns no pointers to objects, references, views or iterators
#include "ddx/tensor.h"
#include "ddx/tensor/compile.h"

#include <string>

int main() {
  const auto f = ddx::compile([](const ddx::Tensor<float>& x, const std::string& activation) {
    return activation == "tanh" ? tanh(x) : exp(x);
  });
#ifdef DDX_OFFENDING
  (void)f(ddx::Tensor<float>(1.0F), "tanh");
#else
  (void)f(ddx::Tensor<float>(1.0F), std::string("tanh"));
#endif
}
