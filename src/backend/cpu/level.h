/// \file
/// Which instructions the processor has, as the three sets that the kernels are compiled for.

#pragma once

#include <cstdint>

namespace ddx::backend::cpu {

/// A set of instructions; each contains the ones before it.
enum class Level : std::uint8_t {
  Baseline,  ///< What every x86-64 processor has.
  Avx2,      ///< 32-byte vectors with fused multiplication and addition.
  Avx512,    ///< 64-byte vectors.
};

/// The highest level of this processor, found by its feature flags.
[[nodiscard]] Level best_level() noexcept;

/// What `f.operator()<level>()` returns for a level.
template <class F>
auto at_level(Level level, const F& f) {
  switch (level) {
    case Level::Baseline:
      return f.template operator()<Level::Baseline>();
    case Level::Avx2:
      return f.template operator()<Level::Avx2>();
    case Level::Avx512:
      return f.template operator()<Level::Avx512>();
  }
  __builtin_unreachable();
}

}  // namespace ddx::backend::cpu
