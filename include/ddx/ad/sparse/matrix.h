/// \file
/// A matrix of which only some elements are held.

#pragma once

#include "ddx/ad/matrix.h"
#include "ddx/ad/sparse/pattern.h"

#include <cstddef>
#include <vector>

namespace ddx {

/// An element of a SparseMatrix, with its place.
template <class T>
struct SparseElement {
  std::size_t row = 0;
  std::size_t column = 0;
  T value{};

  friend bool operator==(const SparseElement&, const SparseElement&) = default;
};

/// A matrix whose elements outside of its pattern are zero, in compressed rows.
///
/// Example: for (const auto& [row, column, value] : matrix) { triplets.emplace_back(row, column,
/// value); }
template <class T>
struct SparseMatrix {
  SparsityPattern pattern;
  /// One for each place of the pattern, in its order.
  std::vector<T> values;

  [[nodiscard]] std::size_t rows() const noexcept { return pattern.rows(); }
  [[nodiscard]] std::size_t columns() const noexcept { return pattern.columns(); }
  /// The number of elements that are held.
  [[nodiscard]] std::size_t size() const noexcept { return values.size(); }

  /// Returns an element, zero where the pattern lacks its place.
  ///
  /// Throws:  UsageError where there is no such row or column.
  /// Cost:    a binary search in the row.
  [[nodiscard]] T operator()(std::size_t row, std::size_t column) const {
    const std::size_t at = pattern.find(row, column);
    return at == pattern.size() ? T{} : values[at];
  }

  /// Walks over the elements that are held, row by row.
  class Iterator {
   public:
    Iterator(const SparseMatrix& matrix, std::size_t at) : matrix_(&matrix), at_(at) {
      skip_empty_rows();
    }

    [[nodiscard]] SparseElement<T> operator*() const {
      return {row_, matrix_->pattern.column_indices()[at_], matrix_->values[at_]};
    }
    Iterator& operator++() {
      ++at_;
      skip_empty_rows();
      return *this;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    void skip_empty_rows() {
      while (at_ < matrix_->size() && matrix_->pattern.row_starts()[row_ + 1] <= at_) {
        ++row_;
      }
    }

    const SparseMatrix* matrix_;
    std::size_t row_ = 0;
    std::size_t at_;
  };

  [[nodiscard]] Iterator begin() const { return {*this, 0}; }
  [[nodiscard]] Iterator end() const { return {*this, size()}; }

  /// Returns the matrix with all of its zeros.
  [[nodiscard]] DerivativeMatrix<T> dense() const {
    DerivativeMatrix<T> result;
    result.rows = rows();
    result.columns = columns();
    result.numbers.resize(rows() * columns());
    for (const SparseElement<T>& element : *this) {
      result(element.row, element.column) = element.value;
    }
    return result;
  }
};

}  // namespace ddx
