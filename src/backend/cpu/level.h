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

}  // namespace ddx::backend::cpu
