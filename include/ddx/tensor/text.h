/// \file
/// Tensors as text.

#pragma once

#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/tensor.h"

#include <iosfwd>
#include <string>

namespace ddx {

namespace detail {
std::string to_string(const Array& array);
std::ostream& write(std::ostream& stream, const Array& array);
}  // namespace detail

/// Renders as "[[1, 2], [3, 4]]": each number with the fewest digits that read back as the same
/// number. From 1,000 elements on, axes longer than 6 show three elements at either end. Reads the
/// elements: on a lazy device this computes them, once.
///
/// Shapes:  x [...]
template <TensorScalar Scalar>
[[nodiscard]] std::string to_string(const Tensor<Scalar>& x) {
  return detail::to_string(x.array());
}

/// Writes what to_string gives; the precision and the width of the stream do not matter.
///
/// Shapes:  x [...]
/// Example:
///   std::cout << x.shape() << ' ' << x << '\n';  // [2, 2] [[1, 2], [3, 4]]
template <TensorScalar Scalar>
std::ostream& operator<<(std::ostream& stream, const Tensor<Scalar>& x) {
  return detail::write(stream, x.array());
}

}  // namespace ddx
