#include "ddx/nn/detail/step_count.h"

#include "ddx/nn/runtime_number.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>

namespace ddx::nn::detail {

RuntimeNumber StepCount::next() const {
  if (is_awaited()) {
    return RuntimeNumber(cast<double>(count_ + std::int64_t{1}));
  }
  return static_cast<double>(taken() + 1);
}

void StepCount::advance() {
  count_ = is_awaited() ? count_ + std::int64_t{1} : Tensor<std::int64_t>(taken() + 1);
}

}  // namespace ddx::nn::detail
