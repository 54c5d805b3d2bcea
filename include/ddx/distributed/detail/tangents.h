/// \file
/// Tangents sent between replicas.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

namespace ddx::distributed::detail {

/// The tangent, or zeros if it has none: a replica without a tangent must still take part.
template <DifferentiableScalar Scalar>
Tensor<Scalar> sent_tangent(const Tensor<Scalar>& tangent, const Shape& shape, Device device) {
  return tangent.is_symbolic_zero() ? zeros<Scalar>(shape, device) : tangent;
}

}  // namespace ddx::distributed::detail
