/// \file
/// The family LinearAlgebra by LAPACK.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

namespace ddx::backend::cpu {

/// A kernel that computes by LAPACK where that is there, else by the reference kernel; null where
/// the operation is of another family or not defined for the dtype.
[[nodiscard]] ops::Kernel lapack_kernel(ops::Op op, DType dtype) noexcept;

}  // namespace ddx::backend::cpu
