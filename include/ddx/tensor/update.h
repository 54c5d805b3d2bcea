/// \file
/// Boxes of a tensor replaced by other elements.

#pragma once

#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/tensor.h"

#include <source_location>
#include <tuple>
#include <utility>

namespace ddx {

/// `x` with `update` in the place of a box; in place when `x` is moved here and unshared: `x =
/// update_slice(std::move(x), rows, {.start = {1, 0}, .stop = {3, 4}})`.
///
/// Shapes:   x [...], update: stretches to the box -> [...]
/// Throws:   UsageError as slice, where the update does not stretch to the box, or where the
///           devices differ.
/// Gradient: to `x` the cotangent with zeros in the box, to `update` the box of the cotangent.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> update_slice(
    Tensor<Scalar> x, const Tensor<Scalar>& update, const SliceOptions& options,
    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::update_slice(std::move(x).array(), update.array(), options, where));
}

// Primal:  y = x, but y_(start + i step) = u_i
// Adjoint: adj[x] += adj[y] outside the box, adj[u_i] += adj[y_(start + i step)]
// Saves:   nothing
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(update_slice)
auto update_slice_vjp(Tensor<Scalar> x, const Tensor<Scalar>& update, const SliceOptions& options,
                      std::source_location where) {
  return detail::tensor_vjp(
      update_slice(std::move(x), update, options, where),
      [shape = update.shape(), options](const Tensor<Scalar>& dy, Wanted<2> wanted) {
        return std::tuple(
            wanted[0] ? update_slice(dy, Tensor<Scalar>(), options) : Tensor<Scalar>(),
            wanted[1] ? sum_to(slice(dy, options), shape) : Tensor<Scalar>());
      });
}

}  // namespace ddx
