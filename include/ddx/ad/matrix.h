/// \file
/// Derivatives as a matrix of numbers.

#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace ddx {

/// A Jacobian or Hessian as numbers: row i belongs to the number i of the result (of the gradient),
/// column j to the number j of the arguments, each in the order of members and elements.
///
/// `Rows` and `Columns` where the types of arguments and result say them, else 0: then the size is
/// that of the values at hand, and the numbers are in a `std::vector`.
template <class T, std::size_t Rows = 0, std::size_t Columns = 0>
struct DerivativeMatrix {
  std::size_t rows = Rows;
  std::size_t columns = Columns;
  /// Row by row.
  std::conditional_t<Rows * Columns == 0, std::vector<T>, std::array<T, Rows * Columns>> numbers{};

  [[nodiscard]] T& operator()(std::size_t row, std::size_t column) {
    return numbers[row * columns + column];
  }
  [[nodiscard]] const T& operator()(std::size_t row, std::size_t column) const {
    return numbers[row * columns + column];
  }
};

}  // namespace ddx
