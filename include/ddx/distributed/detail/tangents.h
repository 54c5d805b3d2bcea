/// \file
/// Tangents on their way between replicas.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

namespace ddx::distributed::detail {

/// The tangent, or zeros in its place: a replica without one takes part for the sake of the others.
template <DifferentiableScalar Scalar>
Tensor<Scalar> sent_tangent(const Tensor<Scalar>& tangent, const Shape& shape, Device device) {
  return tangent.is_symbolic_zero() ? zeros<Scalar>(shape, device) : tangent;
}

}  // namespace ddx::distributed::detail
