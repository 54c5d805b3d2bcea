/// \file
/// The reference kernels of the family LinearAlgebra, by file. Null where the operation is not
/// defined for the dtype.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

namespace ddx::ops::detail {

/// cholesky, lu, triangular_solve.
[[nodiscard]] Kernel elimination_reference(Op op, DType dtype) noexcept;
/// qr.
[[nodiscard]] Kernel qr_reference(DType dtype) noexcept;
/// svd, svdvals.
[[nodiscard]] Kernel svd_reference(Op op, DType dtype) noexcept;
/// eigh, eigvalsh.
[[nodiscard]] Kernel eigh_reference(Op op, DType dtype) noexcept;

}  // namespace ddx::ops::detail
