/// \file
/// The kernels of each level. Each function returns the kernel of an operation for an element type,
/// or null where the level has none of its own.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

namespace ddx::backend::cpu {

namespace baseline {
[[nodiscard]] ops::Kernel elementwise_kernel(ops::Op op, DType dtype) noexcept;
[[nodiscard]] ops::Kernel row_kernel(ops::Op op, DType dtype) noexcept;
[[nodiscard]] ops::Kernel product_kernel(ops::Op op, DType dtype) noexcept;
}  // namespace baseline

namespace avx2 {
[[nodiscard]] ops::Kernel elementwise_kernel(ops::Op op, DType dtype) noexcept;
[[nodiscard]] ops::Kernel row_kernel(ops::Op op, DType dtype) noexcept;
[[nodiscard]] ops::Kernel product_kernel(ops::Op op, DType dtype) noexcept;
}  // namespace avx2

namespace avx512 {
[[nodiscard]] ops::Kernel elementwise_kernel(ops::Op op, DType dtype) noexcept;
[[nodiscard]] ops::Kernel row_kernel(ops::Op op, DType dtype) noexcept;
[[nodiscard]] ops::Kernel product_kernel(ops::Op op, DType dtype) noexcept;
}  // namespace avx512

}  // namespace ddx::backend::cpu
