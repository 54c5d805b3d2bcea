/// \file
/// The Jacobian of a function of one argument.

#pragma once

#include "ddx/ad/detail/coordinates.h"
#include "ddx/ad/detail/entry.h"
#include "ddx/ad/detail/zeros.h"
#include "ddx/ad/differential.h"
#include "ddx/ad/matrix.h"
#include "ddx/ad/operators.h"
#include "ddx/ad/tangent.h"

#include <cstddef>
#include <type_traits>
#include <vector>

namespace ddx {

namespace detail {

/// The rows of a Jacobian from a pullback, one run of it for each number of the value.
template <class Value, class Pullback>
auto rows_of(const Value& value, const Pullback& pullback) {
  TangentOf<Value> seed = zeros_like(value);
  const std::size_t count = coordinate_count(seed);
  std::vector<std::decay_t<decltype(pullback(seed))>> rows;
  rows.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    set_unit(seed, i);
    rows.push_back(pullback(seed));
  }
  return rows;
}

}  // namespace detail

/// Returns the rows of the Jacobian of `f` at `x`: for each number of the result, its gradient.
///
/// Throws:  what `f` throws; std::bad_alloc.
/// Cost:    one run of `f` with a record, then one reverse sweep for each number of the result.
/// Example: std::vector<std::vector<double>> rows = ddx::jacobian_rows(f, x);
template <class F, class X>
[[nodiscard]] std::vector<TangentOf<X>> jacobian_rows(const F& f, const X& x) {
  const auto [value, pullback] = ddx::value_with_pullback(f, x);
  return detail::rows_of(value, pullback);
}

/// Returns the columns of the Jacobian of `f` at `x`: for each number of the argument, the tangent
/// of the result along it.
///
/// Throws:  what `f` throws; std::bad_alloc.
/// Cost:    one run of `f` with its tangent for each number of the argument.
template <class F, class X>
[[nodiscard]] auto jacobian_columns(const F& f, const X& x) {
  using Function = std::decay_t<const F>;
  std::vector<TangentOf<detail::ValueOf<Function, X>>> columns;
  TangentOf<X> unit = detail::zeros_like(x);
  const std::size_t count = detail::coordinate_count(unit);
  columns.reserve(count);
  for (std::size_t j = 0; j < count; ++j) {
    detail::set_unit(unit, j);
    columns.push_back(ddx::jvp(f, ddx::along(unit), x).tangent);
  }
  return columns;
}

/// Returns the Jacobian of `f` at `x` as numbers, by rows or by columns, whichever are fewer.
///
/// Throws:  what `f` throws; std::bad_alloc.
/// Cost:    one run of `f`, then that of jacobian_rows or of jacobian_columns.
/// Example: const auto j = ddx::jacobian(f, x); double d = j(1, 2);
template <class F, class X>
[[nodiscard]] auto jacobian(const F& f, const X& x) {
  using Tangent = TangentOf<detail::ValueOf<std::decay_t<const F>, X>>;
  DerivativeMatrix<detail::CoordinateOf<Tangent>> result;
  TangentOf<X> unit = detail::zeros_like(x);
  result.columns = detail::coordinate_count(unit);
  auto [value, pullback] = ddx::value_with_pullback(f, x);
  result.rows = detail::coordinate_count(detail::zeros_like(value));
  result.numbers.resize(result.rows * result.columns);
  if (result.rows <= result.columns) {
    std::size_t at = 0;
    for (const TangentOf<X>& row : detail::rows_of(value, pullback)) {
      detail::for_each_coordinate(row, [&](const auto& number) {
        result.numbers[at++] = static_cast<detail::CoordinateOf<Tangent>>(number);
      });
    }
    return result;
  }
  for (std::size_t j = 0; j < result.columns; ++j) {
    detail::set_unit(unit, j);
    std::size_t row = 0;
    const Tangent column = ddx::jvp(f, ddx::along(unit), x).tangent;
    detail::for_each_coordinate(column, [&](const auto& number) { result(row++, j) = number; });
  }
  return result;
}

}  // namespace ddx
