/// \file
/// Tensors as text.

#pragma once

#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/tensor.h"

#include <string>

namespace ddx {

namespace detail {
std::string to_string(const Array& array);
}  // namespace detail

/// Renders as "[[1, 2], [3, 4]]": the shortest digits that read back as the same number. From 1,000
/// elements on, axes longer than 6 show three elements at either end.
///
/// Shapes:  x [...]
template <TensorScalar Scalar>
[[nodiscard]] std::string to_string(const Tensor<Scalar>& x) {
  return detail::to_string(x.array());
}

}  // namespace ddx
