/// \file
/// Small dense linear systems.

#pragma once

#include "ddx/ad/detail/implicit_failures.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace ddx::detail {

/// A square matrix as the product of triangular factors, with partial pivoting: L U = P A.
template <class T>
class DenseFactors {
 public:
  /// Takes the `count` by `count` numbers row by row.
  ///
  /// Throws: UsageError where a pivot is not above what rounding leaves of zero.
  DenseFactors(std::size_t count, std::vector<T> numbers)
      : count_(count), lu_(std::move(numbers)), rows_(count) {
    T largest = 0;
    for (const T number : lu_) {
      largest = std::abs(number) > largest || std::isnan(number) ? std::abs(number) : largest;
    }
    const T least = static_cast<T>(count) * std::numeric_limits<T>::epsilon() * largest;
    for (std::size_t k = 0; k < count; ++k) {
      rows_[k] = k;
    }
    for (std::size_t k = 0; k < count; ++k) {
      exchange_rows(k, row_of_pivot(k));
      const T pivot = at(k, k);
      if (!(std::abs(pivot) > least)) {
        throw_singular(k, count, static_cast<double>(std::abs(pivot)), static_cast<double>(least));
      }
      eliminate(k);
    }
  }

  /// Returns x with A x = b.
  [[nodiscard]] std::vector<T> solve(const std::vector<T>& b) const {
    std::vector<T> x(count_);
    for (std::size_t i = 0; i < count_; ++i) {
      x[i] = b[rows_[i]];
      for (std::size_t j = 0; j < i; ++j) {
        x[i] -= at(i, j) * x[j];
      }
    }
    for (std::size_t i = count_; i-- > 0;) {
      for (std::size_t j = i + 1; j < count_; ++j) {
        x[i] -= at(i, j) * x[j];
      }
      x[i] /= at(i, i);
    }
    return x;
  }

  /// Returns x with A^T x = b.
  [[nodiscard]] std::vector<T> solve_transposed(std::vector<T> b) const {
    for (std::size_t i = 0; i < count_; ++i) {
      b[i] /= at(i, i);
      for (std::size_t j = i + 1; j < count_; ++j) {
        b[j] -= at(i, j) * b[i];
      }
    }
    std::vector<T> x(count_);
    for (std::size_t i = count_; i-- > 0;) {
      for (std::size_t j = 0; j < i; ++j) {
        b[j] -= at(i, j) * b[i];
      }
      x[rows_[i]] = b[i];
    }
    return x;
  }

 private:
  [[nodiscard]] T& at(std::size_t i, std::size_t j) { return lu_[i * count_ + j]; }
  [[nodiscard]] const T& at(std::size_t i, std::size_t j) const { return lu_[i * count_ + j]; }

  [[nodiscard]] std::size_t row_of_pivot(std::size_t k) const {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < count_; ++i) {
      best = std::abs(at(i, k)) > std::abs(at(best, k)) ? i : best;
    }
    return best;
  }

  void exchange_rows(std::size_t a, std::size_t b) {
    if (a != b) {
      std::swap(rows_[a], rows_[b]);
      for (std::size_t j = 0; j < count_; ++j) {
        std::swap(at(a, j), at(b, j));
      }
    }
  }

  void eliminate(std::size_t k) {
    for (std::size_t i = k + 1; i < count_; ++i) {
      const T factor = at(i, k) /= at(k, k);
      for (std::size_t j = k + 1; j < count_; ++j) {
        at(i, j) -= factor * at(k, j);
      }
    }
  }

  std::size_t count_;
  std::vector<T> lu_;
  std::vector<std::size_t> rows_;  ///< Of A, in the order of elimination.
};

}  // namespace ddx::detail
