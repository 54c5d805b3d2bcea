/// \file
/// Attention as one operation.

#pragma once

#include "ddx/ad/results.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/axes.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/softmax.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <limits>
#include <source_location>
#include <tuple>
#include <utility>

namespace ddx {

namespace detail {

/// What scores are multiplied by. Without depth they are 0 whatever the scale.
[[nodiscard]] inline double attention_scale(const Shape& query,
                                            const DotProductAttentionOptions& options) {
  const auto depth = query[query.rank() - 1];
  return options.scale ? *options.scale : 1 / std::sqrt(static_cast<double>(depth > 0 ? depth : 1));
}

}  // namespace detail

/// For each query the mean of the values, weighted by softmax of the query's products with the
/// keys: softmax(scale query key^T) value. Where `causal`, a query sees only the keys up to its own
/// place; the last query stands at the last key. A query that sees no key, as where there is none,
/// gets zeros, and no gradient flows through it.
///
/// Shapes:   query [batch..., queries, depth], key [batch..., keys, depth], value [batch..., keys,
///           out] -> [batch..., queries, out]; the batch axes (samples and heads) are equal
/// DTypes:   the floating ones; f16 and bf16 are computed in f32 and rounded once. The exception is
///           large work in bf16 on a processor that multiplies pairs of them, where weights are
///           rounded too
/// Throws:   UsageError where a rank is below 2, ranks, batch axes, depths or numbers of keys
///           differ, or devices do.
/// Gradient: to all three operands. The weights are computed again as e^(score - log sum), of
///           16-bit elements in f32, so relative errors of the gradient are about the largest score
///           times the rounding of the type they are computed in. Those of query and key contain
///           the result as it is rounded.
/// Cost:     O(queries keys (depth + out)) time; on the cpu device the scores are in memory a block
///           at a time, also in the gradient. Forward mode holds all of them.
/// Source:   A. Vaswani et al., "Attention is all you need", NeurIPS 2017; by blocks after T. Dao,
///           "FlashAttention-2", arXiv 2307.08691.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> attention(
    const Tensor<Scalar>& query, const Tensor<Scalar>& key, const Tensor<Scalar>& value,
    const DotProductAttentionOptions& options = {},
    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(
      std::move(detail::attention(query.array(), key.array(), value.array(), options, where)[0]));
}

// Primal:  s = a q k^T, l_i = log sum_j e^s_ij, p_ij = e^(s_ij - l_i), y = p v
// Adjoint: ds_ij = p_ij (adj[y_i] v_j - adj[y_i] y_i),
//          adj[q] += a ds k, adj[k] += a ds^T q, adj[v] += p^T adj[y]
// Saves:   q, k, v, y, l
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(attention)
auto attention_vjp(const Tensor<Scalar>& query, const Tensor<Scalar>& key,
                   const Tensor<Scalar>& value, const DotProductAttentionOptions& options,
                   std::source_location where) {
  auto [result, log_sums] =
      detail::attention(query.array(), key.array(), value.array(), options, where);
  const Tensor<Scalar> y(std::move(result));
  return detail::tensor_vjp(y, [query, key, value, y,
                                sums = Tensor<WideScalar<Scalar>>(std::move(log_sums)),
                                options](const Tensor<Scalar>& dy, Wanted<3>) {
    auto [d_query, d_key, d_value] = detail::attention_gradient(
        query.array(), key.array(), value.array(), y.array(), sums.array(), dy.array(), options);
    return std::tuple(Tensor<Scalar>(std::move(d_query)), Tensor<Scalar>(std::move(d_key)),
                      Tensor<Scalar>(std::move(d_value)));
  });
}

namespace detail {

/// The weights of all keys for all queries: softmax of the scores, and zeros where a key is not
/// seen.
///
/// Shapes:   query [b..., t, d], key [b..., s, d] -> [b..., t, s]
template <FloatingScalar Scalar>
Tensor<Scalar> attention_weights(const Tensor<Scalar>& query, const Tensor<Scalar>& key,
                                 const DotProductAttentionOptions& options) {
  const auto scale = static_cast<Scalar>(attention_scale(query.shape(), options));
  const auto scores = ddx::matmul(query * scale, key, {.transpose_right = true});
  if (!options.causal) {
    return softmax(scores);
  }
  const Shape& shape = scores.shape();
  const Tensor<bool> visible(
      causal_keys(shape[shape.rank() - 2], shape[shape.rank() - 1], query.device()));
  // Finite: of a query that sees no key, the softmax is no NaN.
  const auto hidden = full<Scalar>({}, std::numeric_limits<Scalar>::lowest(), query.device());
  const auto weights = softmax(select(visible, scores, hidden));
  return select(visible, weights, zeros<Scalar>({}, query.device()));
}

/// The tangent of the scores.
///
/// Shapes:   query [b..., t, d], key [b..., s, d], their tangents, which may be symbolic zeros ->
///           [b..., t, s], or a symbolic zero
template <FloatingScalar Scalar>
Tensor<Scalar> score_tangent(const Tensor<Scalar>& query, const Tensor<Scalar>& key,
                             const Tensor<Scalar>& d_query, const Tensor<Scalar>& d_key,
                             const DotProductAttentionOptions& options) {
  const auto scale = static_cast<Scalar>(attention_scale(query.shape(), options));
  Tensor<Scalar> tangent;
  if (!d_query.is_symbolic_zero()) {
    tangent = ddx::matmul(d_query * scale, key, {.transpose_right = true});
  }
  if (!d_key.is_symbolic_zero()) {
    tangent = tangent + ddx::matmul(query * scale, d_key, {.transpose_right = true});
  }
  return tangent;
}

}  // namespace detail

// Tangent: p dv + t v - y_i sum_j t_ij with t_ij = p_ij (ds_ij - sum_k p_ik ds_ik) and
//          ds = a (dq k^T + q dk^T); of 16-bit elements in f32
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(attention)
auto attention_jvp(const Tensor<Scalar>& query, const Tensor<Scalar>& key,
                   const Tensor<Scalar>& value, const DotProductAttentionOptions& options,
                   std::source_location where, const Tensor<Scalar>& d_query,
                   const Tensor<Scalar>& d_key, const Tensor<Scalar>& d_value) {
  const auto y = attention(query, key, value, options, where);
  using Wide = WideScalar<Scalar>;
  const auto q = cast<Wide>(query);
  const auto k = cast<Wide>(key);
  const auto weights = detail::attention_weights(q, k, options);
  const auto d_scores =
      detail::score_tangent(q, k, cast<Wide>(d_query), cast<Wide>(d_key), options);
  Tensor<Wide> tangent;
  if (!d_scores.is_symbolic_zero()) {
    // The terms cancel: of centred tangents, what is subtracted is about as small as the rounding
    // of the weights, so the one of y does not count.
    const auto slopes = detail::softmax_product(weights, d_scores, -1);
    tangent = matmul(slopes, cast<Wide>(value)) -
              cast<Wide>(y) * sum(slopes, {.axes = {-1}, .keep_dims = true});
  }
  if (!d_value.is_symbolic_zero()) {
    tangent = tangent + matmul(weights, cast<Wide>(d_value));
  }
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{y, cast<Scalar>(tangent)};
}

}  // namespace ddx
