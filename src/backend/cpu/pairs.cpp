#include "backend/cpu/pairs.h"

#include <cpuid.h>

namespace ddx::backend::cpu {
namespace {

/// Whether the processor multiplies tiles of bf16 (AMX), as oneDNN does then.
bool has_tiles() noexcept {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  constexpr unsigned features = 7;
  constexpr unsigned amx_bf16 = 1U << 22U;
  return __get_cpuid_count(features, 0, &eax, &ebx, &ecx, &edx) != 0 && (edx & amx_bf16) != 0;
}

}  // namespace

bool has_pairs() noexcept {
  static const bool has = __builtin_cpu_supports("avx512bf16");
  return has;
}

bool pairs_are_fastest() noexcept {
  static const bool are = has_pairs() && !has_tiles();
  return are;
}

}  // namespace ddx::backend::cpu
