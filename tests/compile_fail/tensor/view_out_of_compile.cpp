// error: takes and returns no pointers to objects, references, views or iterators
#include "ddx/tensor.h"
#include "ddx/tensor/compile.h"

#include <string>
#include <string_view>
#include <utility>

int main() {
  const auto f = ddx::compile([](const ddx::Tensor<float>& x, const std::string& name) {
#ifdef DDX_OFFENDING
    return std::pair(x, std::string_view(name));
#else
    return std::pair(x, name);
#endif
  });
  (void)f(ddx::Tensor<float>(1.0F), std::string("x"));
}
