/// \file
/// The kernels of each level. Each function returns the kernel of an operation for an element type,
/// or null where the level has none of its own.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "backend/cpu/level.h"

namespace ddx::backend::cpu {

/// Casts and everything element by element.
template <Level level>
[[nodiscard]] ops::Kernel elementwise_kernel(ops::Op op, DType dtype) noexcept;

/// Reductions, softmax, cross-entropy, normalisation.
template <Level level>
[[nodiscard]] ops::Kernel row_kernel(ops::Op op, DType dtype) noexcept;

/// Products of matrices, convolution, pooling.
template <Level level>
[[nodiscard]] ops::Kernel product_kernel(ops::Op op, DType dtype) noexcept;

template <>
ops::Kernel elementwise_kernel<Level::Baseline>(ops::Op op, DType dtype) noexcept;
template <>
ops::Kernel elementwise_kernel<Level::Avx2>(ops::Op op, DType dtype) noexcept;
template <>
ops::Kernel elementwise_kernel<Level::Avx512>(ops::Op op, DType dtype) noexcept;
template <>
ops::Kernel row_kernel<Level::Baseline>(ops::Op op, DType dtype) noexcept;
template <>
ops::Kernel row_kernel<Level::Avx2>(ops::Op op, DType dtype) noexcept;
template <>
ops::Kernel row_kernel<Level::Avx512>(ops::Op op, DType dtype) noexcept;
template <>
ops::Kernel product_kernel<Level::Baseline>(ops::Op op, DType dtype) noexcept;
template <>
ops::Kernel product_kernel<Level::Avx2>(ops::Op op, DType dtype) noexcept;
template <>
ops::Kernel product_kernel<Level::Avx512>(ops::Op op, DType dtype) noexcept;

}  // namespace ddx::backend::cpu
