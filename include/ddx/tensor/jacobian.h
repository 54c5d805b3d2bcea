/// \file
/// Jacobians and Hessians of functions of tensors, as tensors.

#pragma once

#include "ddx/ad/differential.h"
#include "ddx/ad/hessian.h"
#include "ddx/ad/operators.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/stacking.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <vector>

namespace ddx {

namespace detail {

/// The extents of `first` and those of `second` behind them.
///
/// Throws:  UsageError where these are more than Shape::max_rank.
Shape joined_shape(const Shape& first, const Shape& second);
/// The order of axes that puts the last `count` of `rank` axes first.
Indices last_axes_first(std::size_t rank, std::size_t count);

/// For each element of a tensor of this shape what `row` makes of a tensor that is one there and
/// zero elsewhere; the results stacked along one axis.
///
/// Shapes:  row [shape...] -> [r...] -> [count, r...]
template <FloatingScalar Scalar, class Row>
Tensor<Scalar> stack_of_units(const Shape& shape, Device device, const Shape& of_row,
                              const Row& row) {
  const auto count = static_cast<std::size_t>(shape.count());
  if (count == 0) {
    return zeros<Scalar>(joined_shape(shape, of_row), device);
  }
  std::vector<Tensor<Scalar>> rows;
  rows.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    auto unit = zeros<Scalar>(shape, device);
    unit.mutable_elements()[i] = 1;
    rows.push_back(row(unit));
  }
  return reshape(stack(rows), joined_shape(shape, of_row));
}

}  // namespace detail

/// The derivatives of all elements of the result of `f` by all elements of `x`.
///
/// Shapes:   x [n...], f(x) [m...] -> [m..., n...]
/// Throws:   what `f` throws; UsageError where the result has too high a rank.
/// Cost:     one pullback for each element of the result, or one tangent for each of `x`, whichever
///           are fewer.
/// Example:  ddx::Tensor<double> j = ddx::jacobian(f, x);
template <class F, FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> jacobian(const F& f, const Tensor<Scalar>& x) {
  const auto [value, back] = value_with_pullback(f, x);
  const Shape of_value = value.shape();
  if (of_value.count() <= x.shape().count()) {
    return detail::stack_of_units<Scalar>(
        of_value, x.device(), x.shape(),
        [&back](const Tensor<Scalar>& unit) -> Tensor<Scalar> { return back(unit); });
  }
  const auto columns = detail::stack_of_units<Scalar>(
      x.shape(), x.device(), of_value, [&f, &x](const Tensor<Scalar>& unit) -> Tensor<Scalar> {
        return jvp(f, along(unit), x).tangent;
      });
  return transpose(columns, detail::last_axes_first(columns.rank(), of_value.rank()));
}

/// The second derivatives of `f`, whose result has one element, by all pairs of elements of `x`.
///
/// Shapes:   x [n...] -> [n..., n...]
/// Throws:   what `f` throws; UsageError where its result has not one element, or that of this
///           function too high a rank.
/// Cost:     one hvp for each element of `x`.
/// Example:  ddx::Tensor<double> h = ddx::hessian(f, x);
template <class F, FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> hessian(const F& f, const Tensor<Scalar>& x) {
  return detail::stack_of_units<Scalar>(
      x.shape(), x.device(), x.shape(),
      [&f, &x](const Tensor<Scalar>& unit) -> Tensor<Scalar> { return hvp(f, x, unit); });
}

}  // namespace ddx
