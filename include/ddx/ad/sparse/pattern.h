/// \file
/// Which elements of a matrix may differ from zero.

#pragma once

#include <cstddef>
#include <vector>

namespace ddx {

/// One element of a matrix, by its row and column.
struct MatrixPlace {
  std::size_t row = 0;
  std::size_t column = 0;

  friend bool operator==(const MatrixPlace&, const MatrixPlace&) = default;
};

/// The places of a matrix that may hold something other than zero, in compressed rows: by row, and
/// within a row by column, each once.
class SparsityPattern {
 public:
  /// A matrix without rows and columns.
  SparsityPattern() = default;

  /// The places may come in any order, and repeatedly.
  ///
  /// Throws:  UsageError where a place lies outside the matrix.
  /// Cost:    that of sorting the places.
  SparsityPattern(std::size_t rows, std::size_t columns, const std::vector<MatrixPlace>& places);

  /// Every place of the matrix.
  [[nodiscard]] static SparsityPattern dense(std::size_t rows, std::size_t columns);

  /// The places with `row - below <= column <= row + above`: banded(n, n, 1, 1) is tridiagonal.
  [[nodiscard]] static SparsityPattern banded(std::size_t rows, std::size_t columns,
                                              std::size_t below, std::size_t above);

  [[nodiscard]] std::size_t rows() const noexcept { return row_starts_.size() - 1; }
  [[nodiscard]] std::size_t columns() const noexcept { return columns_; }
  /// The number of places.
  [[nodiscard]] std::size_t size() const noexcept { return column_indices_.size(); }

  /// Where in column_indices each row begins; one more than there are rows.
  [[nodiscard]] const std::vector<std::size_t>& row_starts() const noexcept { return row_starts_; }
  /// The column of each place, row by row.
  [[nodiscard]] const std::vector<std::size_t>& column_indices() const noexcept {
    return column_indices_;
  }

  /// Returns the number of the place among all, and size() where the pattern lacks it.
  ///
  /// Throws:  UsageError where the matrix has no such row or column.
  /// Cost:    a binary search in the row.
  [[nodiscard]] std::size_t find(std::size_t row, std::size_t column) const;

  /// Throws:  UsageError where the matrix has no such row or column.
  [[nodiscard]] bool contains(std::size_t row, std::size_t column) const {
    return find(row, column) != size();
  }

  /// Returns the pattern with rows and columns exchanged.
  [[nodiscard]] SparsityPattern transposed() const;

  /// Returns the places of both patterns.
  ///
  /// Throws:  UsageError where the matrices have different sizes.
  [[nodiscard]] SparsityPattern united(const SparsityPattern& other) const;

  friend bool operator==(const SparsityPattern&, const SparsityPattern&) = default;

 private:
  std::size_t columns_ = 0;
  std::vector<std::size_t> row_starts_ = std::vector<std::size_t>(1);
  std::vector<std::size_t> column_indices_;
};

}  // namespace ddx
