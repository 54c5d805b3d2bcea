/// \file
/// What functions of several tensors at once share.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace ddx::detail {

/// The arrays of the tensors, borrowed.
template <TensorScalar Scalar>
std::vector<const Array*> arrays_of(const std::vector<Tensor<Scalar>>& parts) {
  std::vector<const Array*> arrays;
  arrays.reserve(parts.size());
  for (const auto& part : parts) {
    arrays.push_back(&part.array());
  }
  return arrays;
}

/// The tensors of the arrays.
template <TensorScalar Scalar>
std::vector<Tensor<Scalar>> tensors_of(std::vector<Array> arrays) {
  std::vector<Tensor<Scalar>> parts;
  parts.reserve(arrays.size());
  for (auto& array : arrays) {
    parts.emplace_back(std::move(array));
  }
  return parts;
}

template <TensorScalar Scalar>
std::vector<Shape> shapes_of(const std::vector<Tensor<Scalar>>& parts) {
  std::vector<Shape> shapes;
  shapes.reserve(parts.size());
  for (const auto& part : parts) {
    shapes.push_back(part.shape());
  }
  return shapes;
}

/// The tangents of tensors of these shapes, zeros in the place of symbolic ones. The list of
/// tangents may be empty: all are zero then.
template <TensorScalar Scalar>
std::vector<Tensor<Scalar>> real_tangents(std::vector<Tensor<Scalar>> tangents,
                                          const std::vector<Shape>& shapes, Device device) {
  tangents.resize(shapes.size());
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    if (tangents[k].is_symbolic_zero()) {
      tangents[k] = Tensor<Scalar>(full(shapes[k], {}, dtype_of<Scalar>, device));
    }
  }
  return tangents;
}

}  // namespace ddx::detail
