#include "backend/cpu/reduction.h"

#include "ddx/core/dtype.h"

#include "backend/cpu/kernels.h"
#include "backend/cpu/level.h"

namespace ddx::backend::cpu {

RunningSum running_sum(DType dtype) noexcept {
  switch (best_level()) {
    case Level::Baseline:
      return level_running_sum<Level::Baseline>(dtype);
    case Level::Avx2:
      return level_running_sum<Level::Avx2>(dtype);
    case Level::Avx512:
      return level_running_sum<Level::Avx512>(dtype);
  }
  __builtin_unreachable();
}

SumOfPartialSums sum_of_partial_sums() noexcept {
  switch (best_level()) {
    case Level::Baseline:
      return level_sum_of_partial_sums<Level::Baseline>();
    case Level::Avx2:
      return level_sum_of_partial_sums<Level::Avx2>();
    case Level::Avx512:
      return level_sum_of_partial_sums<Level::Avx512>();
  }
  __builtin_unreachable();
}

}  // namespace ddx::backend::cpu
