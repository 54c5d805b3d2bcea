// error: takes and returns no pointers to objects, references, views or iterators
#include "ddx/tensor.h"
#include "ddx/tensor/compile.h"

int main() {
  const auto f = ddx::compile([](const ddx::Tensor<float>& x, const auto& rate) {
    if constexpr (requires { *rate; }) {
      return x * *rate;
    } else {
      return x * rate;
    }
  });
  const float rate = 2;
#ifdef DDX_OFFENDING
  (void)f(ddx::Tensor<float>(1.0F), &rate);
#else
  (void)f(ddx::Tensor<float>(1.0F), rate);
#endif
}
