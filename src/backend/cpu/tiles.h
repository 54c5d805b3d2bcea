/// \file
/// Kernels of bf16 for processors that multiply tiles of them (AMX): isa/amx.cpp.

#pragma once

#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

namespace ddx::backend::cpu {

/// Whether the processor multiplies tiles of bf16, and the system lets this process do so.
[[nodiscard]] bool has_tiles() noexcept;

/// A product of matrices, summed in f32 and rounded once. Subnormal elements may count as zeros.
/// Says no where there is no memory, a transposed right operand has an odd inner extent, or there
/// is a stack of products.
[[nodiscard]] bool multiply_tiles(const ops::Call& call) noexcept;

/// A convolution over images, or one of its gradients, summed in f32 and rounded once. Subnormal
/// elements may count as zeros. Says no where there is no memory, there are groups, or tiles, which
/// hold 16 channels and as many images, would be less than half full.
[[nodiscard]] bool convolve_tiles(ops::Op op, const ops::Call& call) noexcept;

/// Attention or its gradients, as by pairs (pairs.h), with products of tiles where those are full.
[[nodiscard]] bool attend_tiles(ops::Op op, const ops::Call& call) noexcept;

}  // namespace ddx::backend::cpu
