/// \file
/// Values as a file stores them, and back.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/io/safetensors.h"
#include "ddx/io/tensor_conversion.h"
#include "ddx/tensor/tensor.h"
#include "ddx/train/position.h"

#include <cstring>
#include <string>
#include <utility>

namespace ddx::train::detail {

/// A tensor as a file stores it.
template <TensorScalar Scalar>
io::StoredTensor stored(const Tensor<Scalar>& value) {
  return io::to_stored(value);
}

/// A number as a file stores it: without axes.
template <TensorScalar Scalar>
io::StoredTensor stored(const Scalar& value) {
  io::StoredTensor result{.dtype = dtype_of<Scalar>, .shape = {}, .bytes = {}};
  result.bytes.resize(sizeof value);
  std::memcpy(result.bytes.data(), &value, sizeof value);
  return result;
}

/// Sets `value` to what the file stores, which has its dtype and shape.
template <TensorScalar Scalar>
void restore(Tensor<Scalar>& value, const io::StoredTensor& from) {
  value = io::to_tensor<Scalar>(from, value.device());
}
template <TensorScalar Scalar>
void restore(Scalar& value, const io::StoredTensor& from) {
  std::memcpy(&value, from.bytes.data(), sizeof value);
}

/// The stored form that a value asks for, without its bytes.
template <TensorScalar Scalar>
std::pair<DType, Shape> form(const Tensor<Scalar>& value) {
  return {dtype_of<Scalar>, value.shape()};
}
template <TensorScalar Scalar>
std::pair<DType, Shape> form(const Scalar&) {
  return {dtype_of<Scalar>, Shape()};
}

/// Takes the array out of the file's content.
///
/// Throws: EnvironmentError where it is absent, or has another dtype or shape; names the file, the
///         array and both forms.
io::StoredTensor take_stored(io::TensorFile& content, const std::string& file,
                             const std::string& name, const std::pair<DType, Shape>& expected);

/// Throws: EnvironmentError where arrays are left that nothing asked for.
void check_all_taken(const io::TensorFile& content, const std::string& file);

/// Throws: EnvironmentError where no training can stand at this position: a negative number.
void check_position(const Position& position, const std::string& file);

}  // namespace ddx::train::detail
