/// \file
/// Boxes of a tensor replaced by other elements.

#pragma once

#include "ddx/core/shape.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/axes.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/indexing.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
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

/// `x` with `update` in the place of as many positions along an axis, from `place` on; in place
/// when `x` is moved here and unshared. The place is an array, so that one recorded graph serves
/// all places, as for sequences that grow in a cache.
///
/// Shapes:   x [..., extent, ...], update [..., count, ...], place [] -> [..., extent, ...]
/// Throws:   UsageError where the axis does not exist, shapes differ beyond it, devices differ, or
///           the positions are not all in x.
/// Gradient: to `x` the cotangent with zeros at the positions, to `update` the cotangent there.
/// Cost:     O(update) in place, else O(x).
/// Example:
///   cache = update_at(std::move(cache), row, Tensor<std::int32_t>(7), 0);
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> update_at(
    Tensor<Scalar> x, const Tensor<Scalar>& update, const Tensor<std::int32_t>& place,
    std::int64_t axis, std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(
      detail::update_at(std::move(x).array(), update.array(), place.array(), axis, where));
}

namespace detail {

/// `count` positions along an axis, from a place on.
template <TensorScalar Scalar>
Tensor<Scalar> positions_at(const Tensor<Scalar>& x, const Tensor<std::int32_t>& place,
                            std::int64_t count, std::int64_t axis) {
  return gather(x, iota<std::int32_t>(count, place.device()) + place, axis);
}

}  // namespace detail

// Primal:  y = x, but y_(place + i) = u_i
// Adjoint: adj[x] += adj[y] outside the positions, adj[u_i] += adj[y_(place + i)]
// Saves:   place
template <TensorScalar Scalar>
DDX_DERIVATIVE_OF(update_at)
auto update_at_vjp(Tensor<Scalar> x, const Tensor<Scalar>& update,
                   const Tensor<std::int32_t>& place, std::int64_t axis,
                   std::source_location where) {
  const Shape shape = update.shape();
  return detail::tensor_vjp(
      update_at(std::move(x), update, place, axis, where),
      [shape, place, axis](const Tensor<Scalar>& dy, Wanted<2> wanted) {
        const std::int64_t count = shape[resolve_axis(axis, shape, "update_at")];
        return std::tuple(
            wanted[0] ? update_at(dy, zeros<Scalar>(shape, dy.device()), place, axis)
                      : Tensor<Scalar>(),
            wanted[1] ? detail::positions_at(dy, place, count, axis) : Tensor<Scalar>());
      });
}

}  // namespace ddx
