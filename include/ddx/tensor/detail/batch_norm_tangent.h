/// \file
/// The tangent of batch normalisation.

#pragma once

#include "ddx/ad/attributes.h"
#include "ddx/ad/differentiable.h"
#include "ddx/ad/vjp.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/detail/materialized.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <tuple>
#include <utility>

namespace ddx::detail {

/// What the columns of a matrix are normalised by. Derivatives by mean and variance are parts of
/// those by the matrix.
template <FloatingScalar Scalar>
struct ColumnStatistics {
  using DdxHoldsNoReals = void;

  Tensor<Scalar> mean;
  Tensor<Scalar> variance;
  double epsilon;
};

/// The products of the Jacobian J of normalised columns z, which is symmetric, with d, and what is
/// computed on the way.
template <FloatingScalar Scalar>
struct ColumnProducts {
  Tensor<Scalar> product;  ///< s J d
  Tensor<Scalar> dot;      ///< sum(z d), of each column.
  Tensor<Scalar> total;    ///< sum(d), of each column.

  DDX_DIFFERENTIABLE(ColumnProducts, product, dot, total)
};

/// s (d - mean(d) - z mean(z d)) / sqrt(v + e), with z = (x - m) / sqrt(v + e).
///
/// Shapes:   x [n, c], scale [c], d [n, c]
template <FloatingScalar Scalar>
ColumnProducts<Scalar> column_products(const Tensor<Scalar>& x, const Tensor<Scalar>& scale,
                                       const Tensor<Scalar>& d,
                                       const ColumnStatistics<Scalar>& by) {
  auto [product, dot, total] = batch_norm_training_gradient(
      x.array(), scale.array(), by.mean.array(), by.variance.array(), d.array(), by.epsilon);
  return {Tensor<Scalar>(std::move(product)), Tensor<Scalar>(std::move(dot)),
          Tensor<Scalar>(std::move(total))};
}

/// 1 / (v + e) of each column.
///
/// Shapes:   x [n, c] -> [c]
template <FloatingScalar Scalar>
Tensor<Scalar> inverse_variance(const Tensor<Scalar>&, const ColumnStatistics<Scalar>& by) {
  return reciprocal(by.variance + static_cast<Scalar>(by.epsilon));
}

// Primal:  y = 1 / (v + e) with v = mean (x - m)^2
// Adjoint: adj[x] -= 2 / n y^2 adj[y] (x - m)
// Saves:   x, y
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(inverse_variance)
auto inverse_variance_vjp(const Tensor<Scalar>& x, const ColumnStatistics<Scalar>& by) {
  const auto y = inverse_variance(x, by);
  return tensor_vjp(y, [x, y](const Tensor<Scalar>& c) {
    const auto factor = Scalar{-2} / static_cast<Scalar>(x.shape()[0]);
    return (x - mean(x, {.axes = {0}})) * (c * square(y) * factor);
  });
}

// Primal:  y = s J d with J d = r (d - mean(d) - z p), r = 1 / sqrt(v + e), z = r (x - m) and
//          p = mean(z d)
// Adjoint: adj[d] += s J adj[y]; with c = adj[y], q = mean(z c) and
//          t = mean(c d) - mean(c) mean(d) - p q:
//          adj[s] += n r t, adj[x] -= s r^2 ((t - 2 p q) z + q (d - mean(d)) + p (c - mean(c)));
//          of n p: adj[x] += J (adj d), adj[d] += adj z; of the sum of d: adj[d] += adj
// Saves:   x, s, d, p, mean(d)
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(column_products)
auto column_products_vjp(const Tensor<Scalar>& x, const Tensor<Scalar>& scale,
                         const Tensor<Scalar>& d, const ColumnStatistics<Scalar>& by) {
  using Products = ColumnProducts<Scalar>;
  const auto y = column_products(x, scale, d, by);
  return vjp(y, [x, scale, d, by, dot = y.dot, total = y.total](
                    const typename Products::TangentVector& adj, Wanted<3> wanted) {
    Tensor<Scalar> to_x;
    Tensor<Scalar> to_scale;
    Tensor<Scalar> to_d;
    if (!adj.product.is_symbolic_zero()) {
      const Tensor<Scalar>& c = adj.product;
      const auto back = column_products(x, scale, c, by);
      to_d = back.product;
      if (wanted[0] || wanted[1]) {
        const auto n = static_cast<Scalar>(x.shape()[0]);
        const auto p = dot / n;
        const auto q = back.dot / n;
        const auto t = (sum(c * d, {.axes = {0}}) - total * back.total / n) / n - p * q;
        const auto inverse = inverse_variance(x, by);
        to_scale = sqrt(inverse) * t * n;
        const auto factor = scale * inverse;
        const auto rest = factor * ((q * total + p * back.total) / n);
        to_x =
            batch_norm_training(x, factor * (p * q * Scalar{2} - t), rest, {.epsilon = by.epsilon})
                .output -
            d * (factor * q) - c * (factor * p);
      }
    }
    if (!adj.dot.is_symbolic_zero()) {
      const auto one = ones<Scalar>(scale.shape(), x.device());
      to_x = to_x + column_products(x, one, d * adj.dot, by).product;
      to_d = to_d + batch_norm_training(x, adj.dot, zeros<Scalar>(scale.shape(), x.device()),
                                        {.epsilon = by.epsilon})
                        .output;
    }
    if (!adj.total.is_symbolic_zero()) {
      to_d = broadcast_to(to_d + adj.total, d.shape());
    }
    return std::tuple(to_x, to_scale, to_d);
  });
}

/// The tangent of the output of batch_norm_training, whose statistics were `mean` and `variance`;
/// of 16-bit elements computed in f32. Tangents may be symbolic zeros.
template <FloatingScalar Scalar>
Tensor<Scalar> batch_norm_tangent(const Tensor<Scalar>& x, const Tensor<Scalar>& scale,
                                  const ColumnStatistics<WideScalar<Scalar>>& by,
                                  const Tensor<Scalar>& dx, const Tensor<Scalar>& d_scale,
                                  const Tensor<Scalar>& d_offset) {
  using Wide = WideScalar<Scalar>;
  const Indices rows{-1, x.shape()[x.rank() - 1]};
  const auto wide = reshape(cast<Wide>(x), rows);
  Tensor<Wide> tangent;
  if (!dx.is_symbolic_zero()) {
    tangent = column_products(wide, cast<Wide>(scale), reshape(cast<Wide>(dx), rows), by).product;
  }
  if (!d_scale.is_symbolic_zero() || !d_offset.is_symbolic_zero()) {
    tangent = tangent + batch_norm_training(wide, cast<Wide>(materialized(d_scale, scale)),
                                            cast<Wide>(materialized(d_offset, scale)),
                                            {.epsilon = by.epsilon})
                            .output;
  }
  return tangent.is_symbolic_zero() ? Tensor<Scalar>() : reshape(cast<Scalar>(tangent), x.shape());
}

}  // namespace ddx::detail
