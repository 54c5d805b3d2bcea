/// \file
/// Where convolutions are computed by Winograd's minimal filtering.

#pragma once

#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

namespace ddx::backend::cpu {

/// Whether the instruction set's kernel computes a convolution of f32, f16 or bf16, or a gradient
/// of one, by Winograd's minimal filtering: 3 x 3 taps in steps of one, whole vectors of channels,
/// and results that fill their tiles. It takes 16 multiplications where others take 36, all of them
/// in f32, so processors that multiply bf16 by matrices are faster without.
[[nodiscard]] bool winograd_is_faster(ops::Op op, const ops::Call& call) noexcept;

/// Whether `convolve_pairs` (pairs.h) is the fastest way to compute a convolution of bf16 or a
/// gradient of one.
[[nodiscard]] bool winograd_by_pairs_is_faster(ops::Op op, const ops::Call& call) noexcept;

}  // namespace ddx::backend::cpu
