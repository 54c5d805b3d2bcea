/// \file
/// Sparse Jacobians, several columns or rows from one run.

#pragma once

#include "ddx/ad/detail/compressed_rows.h"
#include "ddx/ad/detail/coordinates.h"
#include "ddx/ad/detail/entry.h"
#include "ddx/ad/detail/sparse_failures.h"
#include "ddx/ad/detail/zeros.h"
#include "ddx/ad/differential.h"
#include "ddx/ad/jacobian.h"
#include "ddx/ad/sparse/colouring.h"
#include "ddx/ad/sparse/find_pattern.h"
#include "ddx/ad/sparse/matrix.h"
#include "ddx/ad/tangent.h"

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddx {

/// A sparse Jacobian or Hessian, and what it took.
template <class T>
struct SparseDerivative {
  SparseMatrix<T> matrix;
  /// The number of runs with a tangent (Columns), of reverse sweeps (Rows) or of hvp (Star).
  std::size_t colours = 0;
  Compression compression = Compression::Columns;
};

namespace detail {

/// Throws: UsageError where the pattern has another number of columns than `x` has numbers.
template <class Tangent>
void check_pattern_columns(const char* operation, const SparsityPattern& pattern,
                           const Tangent& zeros) {
  const std::size_t count = coordinate_count(zeros);
  if (count != pattern.columns()) {
    throw_other_pattern_size(operation, "columns", pattern.columns(), count);
  }
}

/// Sets the numbers of a colour to one and the others to zero.
template <class Tangent>
void set_colour(const Colouring& colouring, std::size_t colour, Tangent& direction) {
  std::size_t at = 0;
  for_each_coordinate(direction, [&](auto& number) {
    using Number = std::remove_reference_t<decltype(number)>;
    number = static_cast<Number>(colouring.colour_of()[at++] == colour);
  });
}

/// The numbers of a tangent, one after the other, in `numbers`.
template <class T, class Tangent>
void list_numbers(const Tangent& tangent, std::vector<T>& numbers) {
  numbers.clear();
  for_each_coordinate(tangent,
                      [&](const auto& number) { numbers.push_back(static_cast<T>(number)); });
}

/// Fills `values` by one run in forward mode for each colour.
template <class F, class X, class T>
void fill_by_columns(const F& f, const Colouring& colouring, const X& x, std::vector<T>& values) {
  TangentOf<X> direction = zeros_like(x);
  std::vector<T> numbers;
  for (std::size_t colour = 0; colour < colouring.colours(); ++colour) {
    set_colour(colouring, colour, direction);
    list_numbers(ddx::jvp(f, ddx::along(direction), x).tangent, numbers);
    if (numbers.size() != colouring.pattern().rows()) {
      throw_other_pattern_size("sparse_jacobian", "rows", colouring.pattern().rows(),
                               numbers.size());
    }
    read_colour(colouring, colour, [&](std::size_t i) { return numbers[i]; }, values);
  }
}

/// Fills `values` by one run that saves what the way back needs, and a reverse sweep for each four
/// colours.
template <class F, class X, class T>
void fill_by_rows(const F& f, const Colouring& colouring, const X& x, std::vector<T>& values) {
  using Seed = TangentOf<ValueOf<F, X>>;
  using Tangents = std::tuple<TangentOf<X>>;
  (void)&primal<F, X>;  // Instantiates the body that the compiler reads.
  CompressedRows<Seed, Tangents, T> rows(colouring, Tangents(zeros_like(x)), values);
  (void)value_with_rows_entry<std::index_sequence<0>, F, X>(f, rows, x);
}

}  // namespace detail

/// Returns the Jacobian of `f` at `x`, compressed by `colouring`, whose pattern holds at `x`.
///
/// Where the pattern lacks an element that is not zero, other elements are wrong too:
/// ddx::check_sparse_jacobian finds such.
///
/// Throws:  UsageError where the colouring is a star colouring, or its pattern has another number
/// of
///          columns than `x` has numbers, or of rows than the result; what `f` throws;
///          std::bad_alloc.
/// Cost:    by columns, one run of `f` with its tangent for each colour; by rows, one run of `f`
///          with a record, and a reverse sweep for each four colours.
/// Example: const ddx::Colouring colouring = ddx::jacobian_colouring(pattern);  // Once.
///          const auto [matrix, colours, by] = ddx::sparse_jacobian(f, colouring, x);
template <class F, class X>
[[nodiscard]] auto sparse_jacobian(const F& f, const Colouring& colouring, const X& x) {
  using Function = std::decay_t<const F>;
  using T = detail::CoordinateOf<std::tuple<TangentOf<detail::ValueOf<Function, X>>, TangentOf<X>>>;
  SparseDerivative<T> result{
      {colouring.pattern(), {}}, colouring.colours(), colouring.compression()};
  if constexpr (detail::check_pullback_request<Function, X>(std::index_sequence<0>{})) {
    if (colouring.compression() == Compression::Star) {
      detail::throw_other_compression("sparse_jacobian", "a star colouring, which is for Hessians");
    }
    detail::check_pattern_columns("sparse_jacobian", colouring.pattern(), detail::zeros_like(x));
    std::vector<T>& values = result.matrix.values;
    values.resize(colouring.pattern().size());
    if (colouring.compression() == Compression::Columns) {
      detail::fill_by_columns<Function>(f, colouring, x, values);
    } else {
      detail::fill_by_rows<Function>(f, colouring, x, values);
    }
  }
  return result;
}

/// Returns the Jacobian of `f` at `x`, of which `pattern` names the elements that may differ from
/// zero: by columns or by rows, whichever need fewer colours.
///
/// Throws:  as with a colouring.
/// Cost:    that with a colouring, and jacobian_colouring.
template <class F, class X>
[[nodiscard]] auto sparse_jacobian(const F& f, const SparsityPattern& pattern, const X& x) {
  return ddx::sparse_jacobian(f, ddx::jacobian_colouring(pattern), x);
}

/// Returns the Jacobian of `f` at `x`. The pattern is found at `x`, so it holds there whatever path
/// `f` takes. `f` is generic over its numbers: see jacobian_pattern.
///
/// Throws:  what `f` throws; std::bad_alloc.
/// Cost:    that with a pattern, and jacobian_pattern. A tridiagonal Jacobian of any size has 3
///          colours.
/// Example: const auto jacobian = ddx::sparse_jacobian(f, x).matrix; double d = jacobian(2, 1);
template <class F, class X>
[[nodiscard]] auto sparse_jacobian(const F& f, const X& x) {
  return ddx::sparse_jacobian(f, ddx::jacobian_pattern(f, x).pattern, x);
}

}  // namespace ddx
