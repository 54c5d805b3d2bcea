/// \file
/// What an optimiser keeps for a parameter: how it begins, and whether it still fits.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/nn/path.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include <concepts>
#include <cstddef>
#include <string>

namespace ddx::nn::detail {

/// The shape of a parameter; that of a number is a scalar's.
template <FloatingScalar Scalar>
Shape shape_of(const Tensor<Scalar>& parameter) {
  return parameter.shape();
}
template <std::floating_point Number>
Shape shape_of(Number) {
  return {};
}

/// Makes all elements `value`, in this shape and on the device of the parameter.
template <FloatingScalar Kept, FloatingScalar Scalar>
void begin_state(Tensor<Kept>& state, const Tensor<Scalar>& parameter, const Shape& shape,
                 double value) {
  state = full(shape, static_cast<Kept>(value), parameter.device());
}
template <std::floating_point Number>
void begin_state(Number& state, Number, const Shape&, double value) {
  state = static_cast<Number>(value);
}

/// Throws: UsageError where what is kept does not fit the parameter any more, since the model has
///         been changed or moved. What has rank 0 was not in use so far, and fits.
template <FloatingScalar Scalar, FloatingScalar Kept>
void check_state(const char* optimizer, const Path& path, const Tensor<Scalar>& parameter,
                 const Shape& expected, const Tensor<Kept>& state) {
  if (state.rank() != 0 && expected.rank() != 0 && state.shape() != expected) {
    throw UsageError(optimizer, "the state of " + to_string(path) + " has shape " +
                                    to_string(state.shape()) + ", the parameter asks for " +
                                    to_string(expected));
  }
  if (!state.is_symbolic_zero() && state.device() != parameter.device()) {
    throw UsageError(optimizer, "the state of " + to_string(path) + " lies on device " +
                                    to_string(state.device()) + ", the parameter on " +
                                    to_string(parameter.device()));
  }
}
template <std::floating_point Number>
void check_state(const char*, const Path&, Number, const Shape&, Number) {}

/// Throws: UsageError where a group of parameters is not complete.
inline void check_group(const char* optimizer, std::size_t number, bool complete) {
  if (!complete) {
    throw UsageError(optimizer, "parameter group " + std::to_string(number) +
                                    " lacks a function that reports or adjusts its parameters");
  }
}

}  // namespace ddx::nn::detail
