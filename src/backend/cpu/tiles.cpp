#include "backend/cpu/tiles.h"

#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ddx::backend::cpu {
namespace {

bool processor_has_tiles() noexcept {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  constexpr unsigned features = 7;
  constexpr unsigned amx_bf16 = 1U << 22U;
  constexpr unsigned amx_tile = 1U << 24U;
  return __get_cpuid_count(features, 0, &eax, &ebx, &ecx, &edx) != 0 && (edx & amx_bf16) != 0 &&
         (edx & amx_tile) != 0;
}

/// Asks the system for the right to use tiles, whose 8 KiB it has to keep for each thread.
bool system_allows_tiles() noexcept {
  constexpr long request_permission = 0x1023;  // ARCH_REQ_XCOMP_PERM
  constexpr long tile_data = 18;               // XFEATURE_XTILEDATA
  return syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
}

}  // namespace

bool has_tiles() noexcept {
  static const bool has =
      processor_has_tiles() && __builtin_cpu_supports("avx512bf16") && system_allows_tiles();
  return has;
}

}  // namespace ddx::backend::cpu
