#include "backend/cpu/normalization.h"

#include "ddx/core/dtype.h"

#include "backend/cpu/kernels.h"
#include "backend/cpu/level.h"

namespace ddx::backend::cpu {

BatchNormalization best_batch_normalization(DType dtype) noexcept {
  return at_level(best_level(),
                  [=]<Level level>() { return level_batch_normalization<level>(dtype); });
}

}  // namespace ddx::backend::cpu
