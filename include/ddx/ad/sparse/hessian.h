/// \file
/// Sparse Hessians, several columns from one product.

#pragma once

#include "ddx/ad/detail/coordinates.h"
#include "ddx/ad/detail/sparse_failures.h"
#include "ddx/ad/detail/zeros.h"
#include "ddx/ad/hessian.h"
#include "ddx/ad/sparse/colouring.h"
#include "ddx/ad/sparse/find_pattern.h"
#include "ddx/ad/sparse/jacobian.h"
#include "ddx/ad/tangent.h"

#include <cstddef>
#include <vector>

namespace ddx {

/// Returns the Hessian of `f` at `x`, compressed by a star colouring, whose pattern holds at `x`.
///
/// Where the pattern lacks an element that is not zero, other elements are wrong too:
/// ddx::check_sparse_hessian finds such.
///
/// Throws:  UsageError where the colouring is none for Hessians, or its pattern has another number
///          of columns than `x` has numbers; what `f` throws; std::bad_alloc.
/// Cost:    one hvp for each colour.
/// Example: const ddx::Colouring colouring = ddx::star_colouring(pattern);  // Once.
///          const auto [matrix, colours, by] = ddx::sparse_hessian(f, colouring, x);
template <class F, class X>
[[nodiscard]] auto sparse_hessian(const F& f, const Colouring& colouring, const X& x) {
  using T = detail::CoordinateOf<TangentOf<X>>;
  if (colouring.compression() != Compression::Star) {
    detail::throw_other_compression("sparse_hessian",
                                    "a colouring for Jacobians; use ddx::star_colouring");
  }
  TangentOf<X> direction = detail::zeros_like(x);
  detail::check_pattern_columns("sparse_hessian", colouring.pattern(), direction);
  SparseDerivative<T> result{{colouring.pattern(), std::vector<T>(colouring.pattern().size())},
                             colouring.colours(),
                             colouring.compression()};
  std::vector<T> numbers;
  for (std::size_t colour = 0; colour < colouring.colours(); ++colour) {
    detail::set_colour(colouring, colour, direction);
    detail::list_numbers(ddx::hvp(f, x, direction), numbers);
    detail::read_colour(
        colouring, colour, [&](std::size_t i) { return numbers[i]; }, result.matrix.values);
  }
  return result;
}

/// Returns the Hessian of `f` at `x`, of which `pattern` names the elements that may differ from
/// zero.
///
/// Throws:  UsageError where the pattern is not symmetric; as with a colouring.
/// Cost:    that with a colouring, and star_colouring.
template <class F, class X>
[[nodiscard]] auto sparse_hessian(const F& f, const SparsityPattern& pattern, const X& x) {
  return ddx::sparse_hessian(f, ddx::star_colouring(pattern), x);
}

/// Returns the Hessian of `f` at `x`. The pattern is found at `x`, so it holds there whatever path
/// `f` takes. `f` is generic over its numbers: see hessian_pattern.
///
/// Throws:  what `f` throws; std::bad_alloc.
/// Cost:    that with a pattern, and hessian_pattern. A tridiagonal Hessian of any size has 3
///          colours, an arrow 2.
/// Example: const auto hessian = ddx::sparse_hessian(f, x).matrix; double d = hessian(2, 1);
template <class F, class X>
[[nodiscard]] auto sparse_hessian(const F& f, const X& x) {
  return ddx::sparse_hessian(f, ddx::hessian_pattern(f, x).pattern, x);
}

}  // namespace ddx
