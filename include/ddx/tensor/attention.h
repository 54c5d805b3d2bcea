/// \file
/// Attention as one operation.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/ad/results.h"
#include "ddx/ad/vjp.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/axes.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/detail/materialized.h"
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
///           at a time, also in the gradient, in forward mode, and in the gradient of that. Third
///           derivatives hold all of them.
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

/// Attention and its tangent.
template <FloatingScalar Scalar>
struct AttentionWithTangent {
  Tensor<Scalar> y;
  Tensor<Scalar> tangent;

  DDX_DIFFERENTIABLE(AttentionWithTangent, y, tangent)
};

/// Attention along tangents of its operands, which are of their shapes.
template <FloatingScalar Scalar>
AttentionWithTangent<Scalar> attention_with_tangent(
    const Tensor<Scalar>& query, const Tensor<Scalar>& key, const Tensor<Scalar>& value,
    const DotProductAttentionOptions& options, std::source_location where,
    const Tensor<Scalar>& d_query, const Tensor<Scalar>& d_key, const Tensor<Scalar>& d_value) {
  AttentionResults results =
      attention_with_tangent({&query.array(), &key.array(), &value.array(), &d_query.array(),
                              &d_key.array(), &d_value.array()},
                             options, where);
  return {Tensor<Scalar>(std::move(results.y)), Tensor<Scalar>(std::move(results.tangent))};
}

// Primal:  p_ij = e^(s_ij - l_i), y = p v, with t = a (dq k^T + q dk^T) and m_i = sum_j p_ij t_ij
//          w_ij = p_ij (t_ij - m_i), z = w v + p dv
// Adjoint: with b_ij = adj[z_i] (v_j - y_i), the cotangent of t is g_ij = p_ij b_ij, and of s
//          h_ij = p_ij (adj[y_i] (v_j - y_i) + adj[z_i] dv_j - adj[z_i] z_i + b_ij (t_ij - m_i)):
//          adj[q] += a (h k + g dk), adj[k] += a (h^T q + g^T dq),
//          adj[v] += p^T adj[y] + w^T adj[z], adj[dq] += a g k, adj[dk] += a g^T q,
//          adj[dv] += p^T adj[z]
// Saves:   the operands, y, l, z, m
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(attention_with_tangent)
auto attention_with_tangent_vjp(const Tensor<Scalar>& query, const Tensor<Scalar>& key,
                                const Tensor<Scalar>& value,
                                const DotProductAttentionOptions& options,
                                std::source_location where, const Tensor<Scalar>& d_query,
                                const Tensor<Scalar>& d_key, const Tensor<Scalar>& d_value) {
  using Result = AttentionWithTangent<Scalar>;
  const AttentionResults results =
      attention_with_tangent({&query.array(), &key.array(), &value.array(), &d_query.array(),
                              &d_key.array(), &d_value.array()},
                             options, where);
  return vjp(
      Result{Tensor<Scalar>(results.y), Tensor<Scalar>(results.tangent)},
      [query, key, value, d_query, d_key, d_value, results,
       options](const typename Result::TangentVector& c) {
        if (c.y.is_symbolic_zero() && c.tangent.is_symbolic_zero()) {
          return std::tuple(Tensor<Scalar>(), Tensor<Scalar>(), Tensor<Scalar>(), Tensor<Scalar>(),
                            Tensor<Scalar>(), Tensor<Scalar>());
        }
        const Tensor<Scalar> y(results.y);
        auto to = attention_with_tangent_gradient(
            {&query.array(), &key.array(), &value.array(), &d_query.array(), &d_key.array(),
             &d_value.array()},
            results, materialized(c.y, y).array(), materialized(c.tangent, y).array(), options);
        return std::tuple(Tensor<Scalar>(std::move(to[0])), Tensor<Scalar>(std::move(to[1])),
                          Tensor<Scalar>(std::move(to[2])), Tensor<Scalar>(std::move(to[3])),
                          Tensor<Scalar>(std::move(to[4])), Tensor<Scalar>(std::move(to[5])));
      });
}

// Tangent: in the direction e, with u = a (eq k^T + q ek^T), the tangent of p is
//          r_ij = p_ij (u_ij - sum_k p_ik u_ik), that of t is x = a (eq dk^T + dq ek^T + edq k^T +
//          q edk^T), and that of w_ij is
//          r_ij (t_ij - m_i) - p_ij sum_k r_ik t_ik + p_ij (x_ij - sum_k p_ik x_ik)
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(attention_with_tangent)
auto attention_with_tangent_jvp(const Tensor<Scalar>& query, const Tensor<Scalar>& key,
                                const Tensor<Scalar>& value,
                                const DotProductAttentionOptions& options, std::source_location,
                                const Tensor<Scalar>& d_query, const Tensor<Scalar>& d_key,
                                const Tensor<Scalar>& d_value, const Tensor<Scalar>& e_query,
                                const Tensor<Scalar>& e_key, const Tensor<Scalar>& e_value,
                                const Tensor<Scalar>& e_d_query, const Tensor<Scalar>& e_d_key,
                                const Tensor<Scalar>& e_d_value) {
  using Result = AttentionWithTangent<Scalar>;
  const ReductionOptions along{.axes = {-1}, .keep_dims = true};
  const auto eq = materialized(e_query, query);
  const auto ek = materialized(e_key, key);
  const auto ev = materialized(e_value, value);
  const auto p = attention_weights(query, key, options);
  const auto t = score_tangent(query, key, d_query, d_key, options);
  const auto x = score_tangent(d_query, d_key, eq, ek, options) +
                 score_tangent(query, key, materialized(e_d_query, query),
                               materialized(e_d_key, key), options);
  const auto w = softmax_product(p, t, -1);
  const auto r = softmax_product(p, score_tangent(query, key, eq, ek, options), -1);
  const auto of_w = r * (t - sum(p * t, along)) - p * sum(r * t, along) + softmax_product(p, x, -1);
  typename Result::TangentVector tangent;
  tangent.y = matmul(r, value) + matmul(p, ev);
  tangent.tangent = matmul(of_w, value) + matmul(w, ev) + matmul(r, d_value) +
                    matmul(p, materialized(e_d_value, value));
  return ValueWithTangent<Result, typename Result::TangentVector>{
      Result{matmul(p, value), matmul(w, value) + matmul(p, d_value)}, tangent};
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
  using Result = ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>;
  if (d_query.is_symbolic_zero() && d_key.is_symbolic_zero() && d_value.is_symbolic_zero()) {
    return Result{attention(query, key, value, options, where), Tensor<Scalar>()};
  }
  using Wide = WideScalar<Scalar>;
  const auto both =
      detail::attention_with_tangent(cast<Wide>(query), cast<Wide>(key), cast<Wide>(value), options,
                                     where, cast<Wide>(detail::materialized(d_query, query)),
                                     cast<Wide>(detail::materialized(d_key, key)),
                                     cast<Wide>(detail::materialized(d_value, value)));
  if constexpr (NarrowScalar<Scalar>) {
    return Result{attention(query, key, value, options, where), cast<Scalar>(both.tangent)};
  } else {
    return Result{both.y, both.tangent};
  }
}

}  // namespace ddx
