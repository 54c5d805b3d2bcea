/// \file
/// The kernels of each level.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "backend/cpu/level.h"
#include "backend/cpu/normalization.h"
#include "backend/cpu/reduction.h"

namespace ddx::backend::cpu {

/// The kernel of an operation for an element type at a level, or null where the level has none of
/// its own.
template <Level level>
[[nodiscard]] ops::Kernel level_kernel(ops::Op op, DType dtype) noexcept;

/// The sums of a level.
template <Level level>
[[nodiscard]] Sums level_sums() noexcept;

/// The normalisation of batches of a level; none for what are no floating elements.
template <Level level>
[[nodiscard]] BatchNormalization level_batch_normalization(DType dtype) noexcept;

template <>
ops::Kernel level_kernel<Level::Baseline>(ops::Op op, DType dtype) noexcept;
template <>
ops::Kernel level_kernel<Level::Avx2>(ops::Op op, DType dtype) noexcept;
template <>
ops::Kernel level_kernel<Level::Avx512>(ops::Op op, DType dtype) noexcept;
template <>
Sums level_sums<Level::Baseline>() noexcept;
template <>
Sums level_sums<Level::Avx2>() noexcept;
template <>
Sums level_sums<Level::Avx512>() noexcept;
template <>
BatchNormalization level_batch_normalization<Level::Baseline>(DType dtype) noexcept;
template <>
BatchNormalization level_batch_normalization<Level::Avx2>(DType dtype) noexcept;
template <>
BatchNormalization level_batch_normalization<Level::Avx512>(DType dtype) noexcept;

}  // namespace ddx::backend::cpu
