/// \file
/// Which instructions the processor has, as the three sets that the kernels are compiled for.

#pragma once

#include <cstdint>

namespace ddx::backend::cpu {

/// A set of instructions; each contains the ones before it.
enum class Isa : std::uint8_t {
  Baseline,  ///< What every x86-64 processor has.
  Avx2,      ///< 32-byte vectors with fused multiplication and addition.
  Avx512,    ///< 64-byte vectors.
};

/// The best instruction set of this processor, found by its feature flags.
[[nodiscard]] Isa best_isa() noexcept;

/// What `f.operator()<isa>()` returns for an instruction set.
template <class F>
auto at_isa(Isa isa, const F& f) {
  switch (isa) {
    case Isa::Baseline:
      return f.template operator()<Isa::Baseline>();
    case Isa::Avx2:
      return f.template operator()<Isa::Avx2>();
    case Isa::Avx512:
      return f.template operator()<Isa::Avx512>();
  }
  __builtin_unreachable();
}

}  // namespace ddx::backend::cpu
