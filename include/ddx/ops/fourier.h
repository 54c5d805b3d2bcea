/// \file
/// The family Fourier: discrete Fourier transforms along an axis.
///
///   fft    y_k = scale sum_j x_j e^(-2 pi i j k / n), with `inverse` e^(+2 pi i j k / n)
///   rfft   the elements 0 ... n / 2 of the fft of real elements; the others are their conjugates
///   irfft  with `inverse` set: the n real elements of which such a half is the transform; n is the
///          extent of the result, of the operand n / 2 + 1. The imaginary parts of element 0 and,
///          of even n, of element n / 2 do not count.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

namespace ddx::ops {

/// The reference kernel, or null where the operation is of another family or not defined for the
/// dtype.
///
/// Cost: O(n sum of the prime factors of n) per line, in double.
[[nodiscard]] Kernel fourier_reference(Op op, DType dtype) noexcept;

}  // namespace ddx::ops
