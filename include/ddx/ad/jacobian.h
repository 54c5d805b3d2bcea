/// \file
/// Jacobians.

#pragma once

#include "ddx/ad/detail/coordinates.h"
#include "ddx/ad/detail/entry.h"
#include "ddx/ad/detail/jacobian_rows.h"
#include "ddx/ad/detail/run_differential.h"
#include "ddx/ad/detail/run_request.h"
#include "ddx/ad/detail/zeros.h"
#include "ddx/ad/differential.h"
#include "ddx/ad/matrix.h"
#include "ddx/ad/results.h"
#include "ddx/ad/tangent.h"
#include "ddx/ad/wrt.h"

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddx {

namespace detail {

/// The matrix that fits the Jacobian of `F` by the arguments that `Wrt` selects.
template <class Wrt, class F, class... Args>
struct JacobianTrait {
  using Seed = TangentOf<ValueOf<F, Args...>>;
  using Tangents = TangentsOf<Wrt, Args...>;
  static constexpr std::size_t rows = fixed_coordinates<Seed>();
  static constexpr std::size_t columns = fixed_coordinates<Tangents>();
  static constexpr bool fixed = rows != not_fixed && columns != not_fixed && rows * columns > 0;
  static constexpr bool never_by_rows = fixed && rows > columns;
  using Matrix = DerivativeMatrix<CoordinateOf<Seed>, fixed ? rows : 0, fixed ? columns : 0>;
};

/// Fills `matrix` column by column, in forward mode.
template <class F, class... Args, class Tangents, class Matrix, std::size_t... Positions>
void fill_columns(std::index_sequence<Positions...> positions, const F& f, Tangents& units,
                  Matrix& matrix, const Args&... args) {
  for (std::size_t j = 0; j < matrix.columns; ++j) {
    set_unit(units, j);
    const auto column = std::apply(
        [&](const auto&... unit) {
          return run_jvp<F, Args...>(positions, f, make_direction(unit...), args...).tangent;
        },
        units);
    std::size_t row = 0;
    for_each_coordinate(column, [&](const auto& number) { matrix(row++, j) = number; });
  }
}

/// Serves value_with_jacobian.
template <class F, class... Args, std::size_t... Positions>
auto run_value_with_jacobian(std::index_sequence<Positions...> positions, const F& f,
                             const Args&... args) {
  using Wrt = std::index_sequence<Positions...>;
  if constexpr (check_pullback_request<F, Args...>(positions)) {
    using Value = ValueOf<F, Args...>;
    using Trait = JacobianTrait<Wrt, F, Args...>;
    using Result = ValueWithJacobian<Value, typename Trait::Matrix>;
    const auto all = std::tie(args...);
    typename Trait::Tangents units(zeros_like(std::get<Positions>(all))...);
    if constexpr (Trait::never_by_rows) {
      Result result{f(args...), {}};
      fill_columns<F, Args...>(positions, f, units, result.jacobian, args...);
      return result;
    } else {
      (void)&primal<F, Args...>;  // Instantiates the body that the compiler reads.
      typename Trait::Matrix matrix;
      MatrixRows<typename Trait::Seed, typename Trait::Tangents, typename Trait::Matrix> rows(
          units, matrix);
      Value value = value_with_rows_entry<Wrt, F, Args...>(f, rows, args...);
      if constexpr (!Trait::fixed) {
        if (!rows.by_rows) {
          fill_columns<F, Args...>(positions, f, units, matrix, args...);
        }
      }
      return Result{std::move(value), std::move(matrix)};
    }
  } else {
    return ValueWithJacobian<NoTangent, DerivativeMatrix<double>>{};
  }
}

}  // namespace detail

/// Returns the rows of the Jacobian of `f` at `x`: for each number of the result, its gradient.
///
/// Throws:  what `f` throws; std::bad_alloc.
/// Cost:    one run of `f` with a record, then one reverse sweep for each four rows, or for each
///          row where objects other than vectors and arrays carry derivatives.
/// Example: std::vector<std::vector<double>> rows = ddx::jacobian_rows(f, x);
template <class F, class X>
[[nodiscard]] std::vector<TangentOf<X>> jacobian_rows(const F& f, const X& x) {
  using Function = std::decay_t<const F>;
  using Seed = TangentOf<detail::ValueOf<Function, X>>;
  std::vector<TangentOf<X>> result;
  if constexpr (detail::check_pullback_request<Function, X>(std::index_sequence<0>{})) {
    (void)&detail::primal<Function, X>;  // Instantiates the body that the compiler reads.
    detail::KeptRows<Seed, std::tuple<TangentOf<X>>> rows(
        std::tuple<TangentOf<X>>(detail::zeros_like(x)));
    (void)detail::value_with_rows_entry<std::index_sequence<0>, Function, X>(f, rows, x);
    result.reserve(rows.rows.size());
    for (std::tuple<TangentOf<X>>& row : rows.rows) {
      detail::conform<X>(std::get<0>(row), x);
      result.push_back(std::get<0>(std::move(row)));
    }
  }
  return result;
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

/// Returns the value of `f` at the arguments and its Jacobian by all of them as numbers: by rows or
/// by columns, whichever are fewer. The columns are those of the first argument, then the second, …
///
/// Throws:  what `f` throws; std::bad_alloc.
/// Cost:    one run of `f` with a record and the reverse sweeps of jacobian_rows; or one run of `f`
///          with its tangent for each column. Nothing is allocated for the matrix where the types
///          of arguments and result say its size.
/// Example: auto [y, j] = ddx::value_with_jacobian(f, x, w); double d = j(1, 2);
template <class F, class... Args>
[[nodiscard]] auto value_with_jacobian(const F& f, const Args&... args) {
  return detail::run_value_with_jacobian<std::decay_t<const F>, Args...>(
      std::index_sequence_for<Args...>{}, f, args...);
}

/// As above, by the selected arguments alone.
///
/// Example: auto [y, j] = ddx::value_with_jacobian(f, ddx::wrt<0>, x, steps);
template <class F, std::size_t... Positions, class... Args>
[[nodiscard]] auto value_with_jacobian(const F& f, Wrt<Positions...>, const Args&... args) {
  return detail::run_value_with_jacobian<std::decay_t<const F>, Args...>(
      std::index_sequence<Positions...>{}, f, args...);
}

/// Returns the Jacobian of `f` at the arguments as numbers. Takes `ddx::wrt<...>` after `f` like
/// the others.
///
/// Throws:  what `f` throws; std::bad_alloc.
/// Cost:    that of value_with_jacobian.
/// Example: const auto j = ddx::jacobian(f, x); double d = j(1, 2);
template <class F, class... Args>
[[nodiscard]] auto jacobian(const F& f, const Args&... args) {
  return ddx::value_with_jacobian(f, args...).jacobian;
}

}  // namespace ddx
