/// \file
/// The kernels of each level.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "backend/cpu/level.h"

namespace ddx::backend::cpu {

/// The kernel of an operation for an element type at a level, or null where the level has none of
/// its own.
template <Level level>
[[nodiscard]] ops::Kernel level_kernel(ops::Op op, DType dtype) noexcept;

template <>
ops::Kernel level_kernel<Level::Baseline>(ops::Op op, DType dtype) noexcept;
template <>
ops::Kernel level_kernel<Level::Avx2>(ops::Op op, DType dtype) noexcept;
template <>
ops::Kernel level_kernel<Level::Avx512>(ops::Op op, DType dtype) noexcept;

}  // namespace ddx::backend::cpu
