/// \file
/// Derivatives as a matrix of numbers.

#pragma once

#include "ddx/ad/detail/failures.h"

#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace ddx {

/// One row of a DerivativeMatrix, which it refers to: the result of `m[i]`.
template <class T>
class DerivativeMatrixRow {
 public:
  DerivativeMatrixRow(T* numbers, std::size_t columns) : numbers_(numbers), columns_(columns) {}

  /// Throws: UsageError where there is no such column.
  [[nodiscard]] T& operator[](std::size_t column) const {
    if (column >= columns_) {
      detail::throw_outside_matrix("column", column, columns_);
    }
    return numbers_[column];
  }

  [[nodiscard]] std::size_t size() const noexcept { return columns_; }
  [[nodiscard]] T* begin() const noexcept { return numbers_; }
  [[nodiscard]] T* end() const noexcept { return numbers_ + columns_; }

 private:
  T* numbers_;
  std::size_t columns_;
};

/// A Jacobian or Hessian as numbers: row i belongs to the number i of the result (of the gradient),
/// column j to the number j of the arguments, each in the order of members and elements. `m(i, j)`,
/// `m[i][j]` and, from C++23 on, `m[i, j]` are one element.
///
/// `Rows` and `Columns` where the types of arguments and result say them, else 0: then the size is
/// that of the values at hand, and the numbers are in a `std::vector`.
template <class T, std::size_t Rows = 0, std::size_t Columns = 0>
struct DerivativeMatrix {
  std::size_t rows = Rows;
  std::size_t columns = Columns;
  /// Row by row.
  std::conditional_t<Rows * Columns == 0, std::vector<T>, std::array<T, Rows * Columns>> numbers{};

  /// Throws: UsageError where there is no such row or column.
  [[nodiscard]] T& operator()(std::size_t row, std::size_t column) {
    return numbers[place(row, column)];
  }
  [[nodiscard]] const T& operator()(std::size_t row, std::size_t column) const {
    return numbers[place(row, column)];
  }

#ifdef __cpp_multidimensional_subscript
  /// Throws: UsageError where there is no such row or column.
  [[nodiscard]] T& operator[](std::size_t row, std::size_t column) {
    return numbers[place(row, column)];
  }
  [[nodiscard]] const T& operator[](std::size_t row, std::size_t column) const {
    return numbers[place(row, column)];
  }
#endif

  /// Returns a row, valid as long as the matrix.
  ///
  /// Throws: UsageError where there is no such row.
  [[nodiscard]] DerivativeMatrixRow<T> operator[](std::size_t row) {
    return {numbers.data() + row_place(row), columns};
  }
  [[nodiscard]] DerivativeMatrixRow<const T> operator[](std::size_t row) const {
    return {numbers.data() + row_place(row), columns};
  }

 private:
  [[nodiscard]] std::size_t row_place(std::size_t row) const {
    if (row >= rows) {
      detail::throw_outside_matrix("row", row, rows);
    }
    return row * columns;
  }

  [[nodiscard]] std::size_t place(std::size_t row, std::size_t column) const {
    const std::size_t first = row_place(row);
    if (column >= columns) {
      detail::throw_outside_matrix("column", column, columns);
    }
    return first + column;
  }
};

}  // namespace ddx
