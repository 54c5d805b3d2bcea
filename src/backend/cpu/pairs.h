/// \file
/// Kernels of bf16 for processors that multiply pairs of them (AVX512-BF16):
/// isa/avx512_bf16.cpp.

#pragma once

#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

namespace ddx::backend::cpu {

/// Whether the processor multiplies pairs of bf16.
[[nodiscard]] bool has_pairs() noexcept;

/// Whether it does, and nothing faster: not tiles (tiles.h).
[[nodiscard]] bool pairs_are_fastest() noexcept;

/// A convolution, or a gradient of one, by Winograd's minimal filtering. The transformed operands
/// are rounded to bf16, too, so the error is some three times that of a result which is rounded
/// once. Subnormal elements may count as zeros. Says no where there is no memory.
[[nodiscard]] bool convolve_pairs(ops::Op op, const ops::Call& call) noexcept;

/// A convolution with few channels, or its gradient for the image, summed in f32 and rounded once.
/// Subnormal elements may count as zeros. Says no where there is no memory, channels are odd, or
/// the case is another.
[[nodiscard]] bool convolve_few_pairs(ops::Op op, const ops::Call& call) noexcept;

/// A product of matrices, summed in f32 and rounded once. Subnormal elements may count as zeros.
/// Says no where there is no memory, the inner extent is odd, or there is a stack of products.
[[nodiscard]] bool multiply_pairs(const ops::Call& call) noexcept;

/// Attention or its gradients. Products are of bf16: weights and the cotangents of scores are
/// rounded too, so that an error is one of the largest values, not of a result which they cancel
/// to; they are summed in f32, and the results rounded once. Subnormal elements may count as zeros.
/// Says no where there is no memory, little to do, vectors have odd extents, or the scale is not
/// positive.
[[nodiscard]] bool attend_pairs(ops::Op op, const ops::Call& call) noexcept;

}  // namespace ddx::backend::cpu
