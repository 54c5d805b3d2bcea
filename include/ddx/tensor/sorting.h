/// \file
/// Order along an axis: sorting, the largest elements, the median.
///
/// A NaN counts as larger than every number.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/tensor/along_axis.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx {

/// The places of the elements along an axis in ascending (or descending) order of the elements;
/// equal ones stay in their order.
///
/// Shapes:   x [...] -> [...]
/// Throws:   UsageError where the axis does not exist.
/// Cost:     n log n for each of the lines along the axis.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<std::int32_t> argsort(
    const Tensor<Scalar>& x, const SortOptions& options = {},
    std::source_location where = std::source_location::current()) {
  return Tensor<std::int32_t>(detail::argsort(x.array(), options, where));
}

/// The elements along an axis in ascending (or descending) order.
///
/// Shapes:   x [...] -> [...]
/// Throws:   UsageError where the axis does not exist.
/// Gradient: each element of the cotangent where its element was.
template <TensorScalar Scalar>
[[nodiscard]] Tensor<Scalar> sort(const Tensor<Scalar>& x, const SortOptions& options = {},
                                  std::source_location where = std::source_location::current()) {
  return take_along_axis(x, argsort(x, options, where), options.axis, where);
}

namespace detail {
/// The first `count` places of an order.
Tensor<std::int32_t> leading(const Tensor<std::int32_t>& order, std::int64_t count,
                             std::int64_t axis, const std::source_location& where);
/// The middle place of an order, or the middle two.
Tensor<std::int32_t> middle(const Tensor<std::int32_t>& order, std::int64_t axis,
                            const std::source_location& where);
}  // namespace detail

/// The result of top_k.
template <TensorScalar Scalar>
struct TopK {
  Tensor<Scalar> values;
  Tensor<std::int32_t> indices;  ///< Where they are along the axis.

  DDX_DIFFERENTIABLE(TopK, values)
  DDX_NO_DERIVATIVE(indices)
};

/// The `count` largest elements along an axis, largest first; of equal ones the first.
///
/// Shapes:   x [a..., n, b...] -> values and indices [a..., count, b...]
/// Throws:   UsageError where the axis does not exist, or the count is not in [0, n].
/// Gradient: each element of the cotangent of the values where its element was.
template <FloatingScalar Scalar>
[[nodiscard]] TopK<Scalar> top_k(const Tensor<Scalar>& x, std::int64_t count,
                                 std::int64_t axis = -1,
                                 std::source_location where = std::source_location::current()) {
  const Tensor<std::int32_t> indices =
      detail::leading(argsort(x, {.axis = axis, .descending = true}, where), count, axis, where);
  return {take_along_axis(x, indices, axis, where), indices};
}

/// The middle element along an axis, or the mean of the middle two.
///
/// Shapes:   x [a..., n, b...] -> [a..., b...]
/// Throws:   UsageError where the axis does not exist or is empty.
/// Gradient: to the middle element, or half to each of the two.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> median(const Tensor<Scalar>& x, std::int64_t axis = -1,
                                    std::source_location where = std::source_location::current()) {
  const Tensor<std::int32_t> middle =
      detail::middle(argsort(x, {.axis = axis}, where), axis, where);
  return mean(take_along_axis(x, middle, axis, where), {.axes = {axis}}, where);
}

}  // namespace ddx
