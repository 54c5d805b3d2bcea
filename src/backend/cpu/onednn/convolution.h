/// \file
/// Convolutions by oneDNN.

#pragma once

#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

namespace ddx::backend::cpu {

/// Computes a convolution of f32 or bf16, or one of its gradients. Those of bf16 are summed in f32;
/// subnormal elements may count as zeros. Says no, and may have written to the
/// result, where oneDNN is absent or does not know the case.
[[nodiscard]] bool convolve_by_onednn(ops::Op op, const ops::Call& call) noexcept;

/// Whether oneDNN is the faster way for these shapes; see the README for the measurement.
[[nodiscard]] bool onednn_is_faster(ops::Op op, const ops::Call& call) noexcept;

}  // namespace ddx::backend::cpu
