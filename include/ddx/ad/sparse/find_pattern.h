/// \file
/// Sparsity patterns of derivatives, found by a run of the function.

#pragma once

#include "ddx/ad/detail/coordinates.h"
#include "ddx/ad/detail/dependency_record.h"
#include "ddx/ad/detail/dependent_arguments.h"
#include "ddx/ad/detail/zeros.h"
#include "ddx/ad/differential.h"
#include "ddx/ad/hessian.h"
#include "ddx/ad/sparse/dependent.h"
#include "ddx/ad/sparse/pattern.h"
#include "ddx/ad/tangent.h"

#include <cstddef>
#include <type_traits>
#include <vector>

namespace ddx {

/// A sparsity pattern, and whether it holds at other points too.
struct FoundPattern {
  SparsityPattern pattern;
  /// The number of decisions by values that depend on the argument (comparisons, conversions to
  /// integers). The pattern is that of the path that they chose; where there was none, it holds
  /// everywhere.
  std::size_t branches = 0;
};

namespace detail {

/// Runs `f` on numbers that record what they are computed from; `pattern_of(record, results)` reads
/// the pattern from the record and the vertices of the result. Empty where the run is refused.
template <class F, class X, class PatternOf>
[[nodiscard]] FoundPattern pattern_by_run(const F& f, const X& x, const PatternOf& pattern_of) {
  FoundPattern found;
  if constexpr (check_dependent_run<std::decay_t<const F>, X>()) {
    DependencyRecord record;
    typename DependentTrait<X>::type inputs{};
    make_dependent(x, inputs, record);
    std::vector<std::size_t> results;
    append_vertices(f(inputs), results);
    found = {pattern_of(record, results), record.branches()};
  }
  return found;
}

}  // namespace detail

/// Returns which elements of the Jacobian of `f` at `x` may differ from zero: which numbers of the
/// result are computed from which numbers of the argument. Products by a zero count.
///
/// `f` is generic over its numbers: it is called with ddx::Dependent in the place of each.
///
/// Throws:  what `f` throws; std::bad_alloc.
/// Cost:    one run of `f` that records its operations (24 bytes each), and for each number of the
///          result a walk over those that it depends on.
/// Example: const auto [pattern, branches] = ddx::jacobian_pattern(f, x);
template <class F, class X>
[[nodiscard]] FoundPattern jacobian_pattern(const F& f, const X& x) {
  return detail::pattern_by_run(f, x, [](auto& record, const std::vector<std::size_t>& results) {
    return record.jacobian(results);
  });
}

/// Returns which elements of the Hessian of `f` at `x` may differ from zero: which pairs of numbers
/// meet in an operation that is not linear in them, and on which the result depends.
///
/// `f` is generic over its numbers: it is called with ddx::Dependent in the place of each.
///
/// Throws:  what `f` throws; std::bad_alloc.
/// Cost:    one run of `f` that records its operations (24 bytes each), and for each that is not
///          linear the square of the count of numbers that it depends on.
template <class F, class X>
[[nodiscard]] FoundPattern hessian_pattern(const F& f, const X& x) {
  return detail::pattern_by_run(f, x, [](auto& record, const std::vector<std::size_t>& results) {
    static_assert(std::is_floating_point_v<detail::ValueOf<std::decay_t<const F>, X>>,
                  "ddx: a Hessian is of a function with a real result");
    return record.hessian(results.at(0));
  });
}

/// Returns where the Jacobian of `f` at `x` differs from zero, for a function that is not generic.
///
/// An element that is zero at `x` by chance is missed: probe where no value is special, unite the
/// patterns of several points, and check the results (ddx::check_sparse_jacobian).
///
/// Throws:  what `f` throws; std::bad_alloc.
/// Cost:    one run of `f` with its tangent for each number of the argument, once.
template <class F, class X>
[[nodiscard]] SparsityPattern probed_jacobian_pattern(const F& f, const X& x) {
  std::vector<MatrixPlace> places;
  TangentOf<X> unit = detail::zeros_like(x);
  const std::size_t columns = detail::coordinate_count(unit);
  std::size_t rows = 0;
  for (std::size_t column = 0; column < columns; ++column) {
    detail::set_unit(unit, column);
    const auto tangent = ddx::jvp(f, ddx::along(unit), x).tangent;
    rows = 0;
    detail::for_each_coordinate(tangent, [&](const auto& number) {
      if (number != 0) {
        places.push_back({rows, column});
      }
      ++rows;
    });
  }
  if (columns == 0) {
    rows = detail::coordinate_count(detail::zeros_like(f(x)));
  }
  return {rows, columns, places};
}

/// Returns where the Hessian of `f` at `x` differs from zero, for a function that is not generic;
/// made symmetric. An element that is zero at `x` by chance is missed, as by
/// probed_jacobian_pattern.
///
/// Throws:  what `f` throws; std::bad_alloc.
/// Cost:    one hvp for each number of the argument, once.
template <class F, class X>
[[nodiscard]] SparsityPattern probed_hessian_pattern(const F& f, const X& x) {
  std::vector<MatrixPlace> places;
  TangentOf<X> unit = detail::zeros_like(x);
  const std::size_t count = detail::coordinate_count(unit);
  for (std::size_t column = 0; column < count; ++column) {
    detail::set_unit(unit, column);
    const TangentOf<X> product = ddx::hvp(f, x, unit);
    std::size_t row = 0;
    detail::for_each_coordinate(product, [&](const auto& number) {
      if (number != 0) {
        places.push_back({row, column});
        places.push_back({column, row});
      }
      ++row;
    });
  }
  return {count, count, places};
}

}  // namespace ddx
