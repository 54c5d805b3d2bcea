/// \file
/// Derivatives as a matrix of numbers.

#pragma once

#include <cstddef>
#include <vector>

namespace ddx {

/// A Jacobian or Hessian as numbers: row i belongs to the number i of the result (of the gradient),
/// column j to the number j of the argument, each in the order of members and elements.
template <class T>
struct DerivativeMatrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<T> numbers;  ///< Row by row.

  [[nodiscard]] T& operator()(std::size_t row, std::size_t column) {
    return numbers[row * columns + column];
  }
  [[nodiscard]] const T& operator()(std::size_t row, std::size_t column) const {
    return numbers[row * columns + column];
  }
};

}  // namespace ddx
