/// \file
/// Products of matrices of bf16 by oneDNN.

#pragma once

#include "ddx/ops/kernel.h"

namespace ddx::backend::cpu {

/// Computes a product of bf16, summed in f32 and rounded once. Subnormal elements may count as
/// zero. Says no, and may have written to the result, where oneDNN is absent or does not know the
/// case.
[[nodiscard]] bool multiply_by_onednn(const ops::Call& call) noexcept;

/// Whether oneDNN is the faster way: the processor multiplies bf16, and there is enough to do; see
/// the README for the measurement.
[[nodiscard]] bool onednn_multiplies_faster(const ops::Call& call) noexcept;

}  // namespace ddx::backend::cpu
