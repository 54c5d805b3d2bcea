/// \file
/// The kernels of each level.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "backend/cpu/level.h"
#include "backend/cpu/reduction.h"

namespace ddx::backend::cpu {

/// The kernel of an operation for an element type at a level, or null where the level has none of
/// its own.
template <Level level>
[[nodiscard]] ops::Kernel level_kernel(ops::Op op, DType dtype) noexcept;

/// Sums piece by piece at a level; null but for f32 and f64.
template <Level level>
[[nodiscard]] RunningSum level_running_sum(DType dtype) noexcept;
/// Sums of partial sums at a level.
template <Level level>
[[nodiscard]] SumOfPartialSums level_sum_of_partial_sums() noexcept;

template <>
ops::Kernel level_kernel<Level::Baseline>(ops::Op op, DType dtype) noexcept;
template <>
ops::Kernel level_kernel<Level::Avx2>(ops::Op op, DType dtype) noexcept;
template <>
ops::Kernel level_kernel<Level::Avx512>(ops::Op op, DType dtype) noexcept;
template <>
RunningSum level_running_sum<Level::Baseline>(DType dtype) noexcept;
template <>
RunningSum level_running_sum<Level::Avx2>(DType dtype) noexcept;
template <>
RunningSum level_running_sum<Level::Avx512>(DType dtype) noexcept;
template <>
SumOfPartialSums level_sum_of_partial_sums<Level::Baseline>() noexcept;
template <>
SumOfPartialSums level_sum_of_partial_sums<Level::Avx2>() noexcept;
template <>
SumOfPartialSums level_sum_of_partial_sums<Level::Avx512>() noexcept;

}  // namespace ddx::backend::cpu
