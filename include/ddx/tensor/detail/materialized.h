/// \file
/// Symbolic zeros as arrays.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

namespace ddx::detail {

/// The tensor; for a symbolic zero, zeros of the shape and on the device of another one.
template <DifferentiableScalar Scalar>
Tensor<Scalar> materialized(const Tensor<Scalar>& x, const Tensor<Scalar>& like) {
  return x.is_symbolic_zero() ? zeros_like(like) : x;
}

}  // namespace ddx::detail
