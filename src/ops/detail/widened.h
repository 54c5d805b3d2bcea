/// \file
/// Calls of 16-bit floating-point arrays computed in a wider type and rounded once at the end.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ops/kernel.h"

#include <cstddef>

namespace ddx::ops::detail {

/// The kernels that compute a call of dtype `narrow` in dtype `wide`.
struct WideKernels {
  DType narrow;
  DType wide;
  Kernel widen;      ///< Casts from narrow to wide.
  Kernel operation;  ///< For wide.
  Kernel round;      ///< Casts from wide to narrow.
};

/// How many bytes the operands and results of dtype `narrow` take as `wide` ones, each of them
/// aligned to 64.
[[nodiscard]] std::size_t widened_bytes(const Call& call, DType narrow, DType wide) noexcept;

/// Runs the operation on wide copies of the operands of dtype `narrow`, and rounds its results.
/// `memory` has widened_bytes, aligned to 64. Requires an operation with a fixed number of
/// operands.
void run_widened(const WideKernels& kernels, const Call& call, std::byte* memory) noexcept;

}  // namespace ddx::ops::detail
