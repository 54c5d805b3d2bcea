/// \file
/// Whether a sparse derivative is the function's.

#pragma once

#include "ddx/ad/detail/coordinates.h"
#include "ddx/ad/detail/sparse_failures.h"
#include "ddx/ad/detail/zeros.h"
#include "ddx/ad/differential.h"
#include "ddx/ad/hessian.h"
#include "ddx/ad/operators.h"
#include "ddx/ad/sparse/jacobian.h"
#include "ddx/ad/sparse/matrix.h"
#include "ddx/ad/tangent.h"
#include "ddx/core/random_key.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace ddx {

namespace detail {

/// Numbers of either sign between 1/2 and 1, so that no element counts for little.
template <class T>
std::vector<T> random_direction(const RandomKey& key, std::size_t count) {
  std::vector<T> numbers(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto words = key.words(i);
    const T size = static_cast<T>(0.5 + 0.5 * (words[0] / 4294967296.0));
    numbers[i] = (words[1] & 1U) != 0 ? size : -size;
  }
  return numbers;
}

/// The rows whose products with `direction` differ from what the function has, by more than the
/// root of the precision, relative to the sum of the sizes of their terms.
template <class T>
std::vector<std::size_t> suspected_rows(const SparseMatrix<T>& matrix,
                                        const std::vector<T>& direction,
                                        const std::vector<T>& expected) {
  std::vector<T> products(matrix.rows()), sizes(matrix.rows());
  for (const auto& [row, column, value] : matrix) {
    products[row] += value * direction[column];
    sizes[row] += std::abs(value * direction[column]);
  }
  const T precision = std::sqrt(std::numeric_limits<T>::epsilon());
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < matrix.rows(); ++row) {
    if (std::abs(products[row] - expected[row]) >
        precision * (sizes[row] + std::abs(expected[row]))) {
      rows.push_back(row);
    }
  }
  return rows;
}

/// Throws: UsageError, of an element of the row that differs from what the function has; of one
/// that
///         the pattern lacks where there is such, since those of its colour follow it.
template <class T>
void check_row(const char* operation, const SparseMatrix<T>& matrix, std::size_t row,
               const std::vector<T>& expected) {
  T largest = 0;
  for (const T number : expected) {
    largest = std::max(largest, std::abs(number));
  }
  const T precision = std::sqrt(std::numeric_limits<T>::epsilon());
  for (const bool held : {false, true}) {
    for (std::size_t column = 0; column < matrix.columns(); ++column) {
      const T value = matrix(row, column);
      if (matrix.pattern.contains(row, column) == held &&
          std::abs(value - expected[column]) > precision * std::max(largest, std::abs(value))) {
        throw_wrong_element(operation, row, column, held, static_cast<double>(value),
                            static_cast<double>(expected[column]));
      }
    }
  }
}

/// Assigns numbers to those of a tangent, in order.
template <class Tangent, class T>
void assign_numbers(Tangent& tangent, const std::vector<T>& numbers) {
  std::size_t at = 0;
  for_each_coordinate(tangent, [&](auto& number) {
    number = static_cast<std::remove_reference_t<decltype(number)>>(numbers[at++]);
  });
}

}  // namespace detail

/// Compares `matrix` with the derivative of `f` at `x` along one random direction: whether the
/// pattern that it was made with holds there. A row with a wrong element is found, except for a
/// negligible chance. Elements that are NaN are not compared.
///
/// Throws:  UsageError with row, column, and both values where an element differs, or where the
///          matrix has another size than the Jacobian; what `f` throws.
/// Cost:    one run of `f` with its tangent; where a row differs, one pullback.
/// Example: ddx::check_sparse_jacobian(f, ddx::sparse_jacobian(f, colouring, x).matrix, x);
template <class F, class X, class T>
void check_sparse_jacobian(const F& f, const SparseMatrix<T>& matrix, const X& x,
                           const RandomKey& key = RandomKey(0)) {
  const char* const operation = "check_sparse_jacobian";
  TangentOf<X> direction = detail::zeros_like(x);
  detail::check_pattern_columns(operation, matrix.pattern, direction);
  const std::vector<T> numbers = detail::random_direction<T>(key, matrix.columns());
  detail::assign_numbers(direction, numbers);
  std::vector<T> expected;
  detail::list_numbers(ddx::jvp(f, ddx::along(direction), x).tangent, expected);
  if (expected.size() != matrix.rows()) {
    detail::throw_other_pattern_size(operation, "rows", matrix.rows(), expected.size());
  }
  const std::vector<std::size_t> rows = detail::suspected_rows(matrix, numbers, expected);
  if (!rows.empty()) {
    const auto [value, pullback] = ddx::value_with_pullback(f, x);
    auto seed = detail::zeros_like(value);
    for (const std::size_t row : rows) {
      detail::set_unit(seed, row);
      detail::list_numbers(pullback(seed), expected);
      detail::check_row(operation, matrix, row, expected);
    }
  }
}

/// Compares `matrix` with the Hessian of `f` at `x` along one random direction, as
/// check_sparse_jacobian does with a Jacobian.
///
/// Throws:  UsageError with row, column, and both values where an element differs, or where the
///          matrix has another size than the Hessian; what `f` throws.
/// Cost:    one hvp; where a row differs, two.
template <class F, class X, class T>
void check_sparse_hessian(const F& f, const SparseMatrix<T>& matrix, const X& x,
                          const RandomKey& key = RandomKey(0)) {
  const char* const operation = "check_sparse_hessian";
  TangentOf<X> direction = detail::zeros_like(x);
  detail::check_pattern_columns(operation, matrix.pattern, direction);
  const std::vector<T> numbers = detail::random_direction<T>(key, matrix.columns());
  detail::assign_numbers(direction, numbers);
  std::vector<T> expected;
  detail::list_numbers(ddx::hvp(f, x, direction), expected);
  if (expected.size() != matrix.rows()) {
    detail::throw_other_pattern_size(operation, "rows", matrix.rows(), expected.size());
  }
  for (const std::size_t row : detail::suspected_rows(matrix, numbers, expected)) {
    detail::set_unit(direction, row);
    detail::list_numbers(ddx::hvp(f, x, direction), expected);
    detail::check_row(operation, matrix, row, expected);
  }
}

}  // namespace ddx
