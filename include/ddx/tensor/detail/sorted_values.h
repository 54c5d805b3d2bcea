/// \file
/// Requirements of derivatives on the sorted values of decompositions. Each function returns the
/// values themselves.

#pragma once

#include "ddx/ad/attributes.h"
#include "ddx/tensor/detail/linear_algebra.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/tensor.h"

#include <source_location>

namespace ddx::detail {

/// Throws:  UsageError that names two values of a matrix that are equal up to rounding: then its
///          vectors have no derivative.
template <MatrixScalar Scalar>
Tensor<Scalar> distinct(const char* operation, const Tensor<Scalar>& values,
                        std::source_location where) {
  check_distinct(operation, values.array(), where);
  return values;
}

/// Throws:  UsageError that names the least of the descending values of a matrix if it is zero up
///          to rounding: then the vectors on its longer side have no derivative.
template <MatrixScalar Scalar>
Tensor<Scalar> positive(const char* operation, const Tensor<Scalar>& values,
                        std::source_location where) {
  check_positive(operation, values.array(), where);
  return values;
}

// Primal:  y = x
// Adjoint: adj[x] += adj[y]
// Saves:   nothing
template <MatrixScalar Scalar>
DDX_DERIVATIVE_OF(distinct)
auto distinct_vjp(const char* operation, const Tensor<Scalar>& values, std::source_location where) {
  return tensor_vjp(distinct(operation, values, where),
                    [](const Tensor<Scalar>& dy) { return dy; });
}

// Primal:  y = x
// Adjoint: adj[x] += adj[y]
// Saves:   nothing
template <MatrixScalar Scalar>
DDX_DERIVATIVE_OF(positive)
auto positive_vjp(const char* operation, const Tensor<Scalar>& values, std::source_location where) {
  return tensor_vjp(positive(operation, values, where),
                    [](const Tensor<Scalar>& dy) { return dy; });
}

}  // namespace ddx::detail
