#include "backend/cpu/normalization.h"

#include "ddx/core/dtype.h"

#include "backend/cpu/isa.h"
#include "backend/cpu/kernels.h"

namespace ddx::backend::cpu {

BatchNormalization best_batch_normalization(DType dtype) noexcept {
  return at_isa(best_isa(), [=]<Isa isa>() { return level_batch_normalization<isa>(dtype); });
}

}  // namespace ddx::backend::cpu
