// error: takes and returns no pointers to objects, references, views or iterators
#include "ddx/tensor.h"
#include "ddx/tensor/compile.h"

#include <map>
#include <utility>

#ifdef DDX_OFFENDING
using Key = std::pair<const float*, int>;
#else
using Key = std::pair<float, int>;
#endif

int main() {
  const auto f = ddx::compile([](const std::map<Key, ddx::Tensor<float>>& x) { return x; });
  (void)f(std::map<Key, ddx::Tensor<float>>());
}
