/// \file
/// Second derivatives of functions with a real result.

#pragma once

#include "ddx/ad/detail/coordinates.h"
#include "ddx/ad/detail/derivative_along.h"
#include "ddx/ad/detail/zeros.h"
#include "ddx/ad/matrix.h"
#include "ddx/ad/operators.h"
#include "ddx/ad/tangent.h"

#include <cstddef>
#include <type_traits>

namespace ddx {

/// Returns the product of the Hessian of `f` at `x` with `v`, as the gradient of the derivative
/// along `v`: no Hessian is formed.
///
/// Throws:  what `f` throws; UsageError where a vector in `v` has another length than in `x`.
/// Cost:    1.2 to 3 gradients of `f`, whatever the size of `x`; up to 5.4 if functions return
///          vectors in a loop. Through memory 2 to 7 gradients.
/// Example: std::vector<double> hv = ddx::hvp(f, x, v);
template <class F, class X>
[[nodiscard]] TangentOf<X> hvp(const F& f, const X& x, const TangentOf<X>& v) {
  using Function = std::decay_t<const F>;
  detail::DerivativeAlong<Function, X> derivative{f, v};
  detail::conform<X>(derivative.direction, x);
  return ddx::gradient(derivative, x);
}

/// Returns the Hessian of `f` at `x` as numbers.
///
/// Throws:  what `f` throws; std::bad_alloc.
/// Cost:    one hvp for each number of `x`.
/// Example: const auto h = ddx::hessian(f, x); double d = h(0, 1);
template <class F, class X>
[[nodiscard]] auto hessian(const F& f, const X& x) {
  DerivativeMatrix<detail::CoordinateOf<TangentOf<X>>> result;
  TangentOf<X> unit = detail::zeros_like(x);
  result.rows = result.columns = detail::coordinate_count(unit);
  result.numbers.resize(result.rows * result.columns);
  for (std::size_t j = 0; j < result.columns; ++j) {
    detail::set_unit(unit, j);
    const TangentOf<X> column = ddx::hvp(f, x, unit);
    std::size_t row = 0;
    detail::for_each_coordinate(column, [&](const auto& number) { result(row++, j) = number; });
  }
  return result;
}

}  // namespace ddx
