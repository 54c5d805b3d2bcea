#include "backend/cpu/isa.h"

namespace ddx::backend::cpu {

// Asks for every feature that the files of isa/ have as their target. Without one of them, as on
// a virtual machine that hides it, such code faults; lzcnt is even taken for bsr.
Isa best_isa() noexcept {
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("f16c") && __builtin_cpu_supports("bmi") &&
                    __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("lzcnt");
  if (!avx2) {
    return Isa::Baseline;
  }
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512vl");
  return avx512 ? Isa::Avx512 : Isa::Avx2;
}

}  // namespace ddx::backend::cpu
