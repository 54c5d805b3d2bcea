#include "backend/cpu/pairs.h"

#include "backend/cpu/tiles.h"

namespace ddx::backend::cpu {

bool has_pairs() noexcept {
  static const bool has = __builtin_cpu_supports("avx512bf16");
  return has;
}

bool pairs_are_fastest() noexcept {
  static const bool are = has_pairs() && !has_tiles();
  return are;
}

}  // namespace ddx::backend::cpu
