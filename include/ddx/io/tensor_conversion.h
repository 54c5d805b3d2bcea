/// \file
/// Tensors as files hold them, and back.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/tensor/tensor.h"

#include <bit>
#include <cstring>
#include <source_location>

namespace ddx::io {

namespace detail {

static_assert(std::endian::native == std::endian::little, "files hold the elements as memory does");

/// Throws: UsageError where the array could not be read, is not of this dtype, or its bytes are not
///         as many as its shape says.
void check_stored(const StoredTensor& stored, DType expected, const std::source_location& where);

}  // namespace detail

/// A tensor as a file holds it.
///
/// Shapes:  x [...]
template <TensorScalar Scalar>
[[nodiscard]] StoredTensor to_stored(const Tensor<Scalar>& x) {
  StoredTensor stored{.dtype = dtype_of<Scalar>, .shape = x.shape(), .bytes = {}};
  const auto elements = x.elements();
  stored.bytes.resize(elements.size_bytes());
  if (!elements.empty()) {
    std::memcpy(stored.bytes.data(), elements.data(), elements.size_bytes());
  }
  return stored;
}

/// What a file holds as a tensor. The element type is the file's: `cast` makes it another.
///
/// Throws:  UsageError where the array could not be read (StoredTensor::obstacle), has another
///          dtype (names both), or its bytes are not as many as its shape says.
/// Example:
///   const auto weight = io::to_tensor<float>(io::read_npy("weight.npy"));
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> to_tensor(
    const StoredTensor& stored, Device device = {},
    std::source_location where = std::source_location::current()) {
  detail::check_stored(stored, dtype_of<Scalar>, where);
  Tensor<Scalar> x(ddx::detail::Array(stored.shape, dtype_of<Scalar>, device));
  const auto elements = x.mutable_elements();
  if (!elements.empty()) {
    std::memcpy(elements.data(), stored.bytes.data(), elements.size_bytes());
  }
  return x;
}

}  // namespace ddx::io
