#include "backend/cpu/level.h"

namespace ddx::backend::cpu {

Level best_level() noexcept {
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  if (!avx2) {
    return Level::Baseline;
  }
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  return avx512 ? Level::Avx512 : Level::Avx2;
}

}  // namespace ddx::backend::cpu
