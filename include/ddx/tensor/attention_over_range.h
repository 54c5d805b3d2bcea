/// \file
/// Attention to a range of the keys that is known when it runs.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/dtype.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/attention.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/detail/materialized.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/softmax.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <limits>
#include <source_location>
#include <tuple>

namespace ddx {

namespace detail {

/// Which of so many places are in a range.
///
/// Shapes:   range [2] -> [places]
[[nodiscard]] inline Tensor<bool> places_in_range(const Tensor<std::int32_t>& range,
                                                  std::int64_t places) {
  const auto place = iota<std::int32_t>(places, range.device());
  return logical_and(greater_equal(place, slice(range, {.start = {0}, .stop = {1}})),
                     less(place, slice(range, {.start = {1}, .stop = {2}})));
}

/// Keys, values or their tangents with zeros outside the range, where there may be no numbers.
///
/// Shapes:   x [b..., s, d], range [2] -> [b..., s, d]
template <FloatingScalar Scalar>
Tensor<Scalar> zero_outside(const Tensor<Scalar>& x, const Tensor<std::int32_t>& range) {
  const std::int64_t places = x.shape()[x.rank() - 2];
  return select(reshape(places_in_range(range, places), {places, 1}), x,
                zeros<Scalar>({}, x.device()));
}

/// The weights of all keys for all queries, zeros outside the range.
///
/// Shapes:   query [b..., t, d], key [b..., s, d], range [2] -> [b..., t, s]
template <FloatingScalar Scalar>
Tensor<Scalar> weights_over_range(const Tensor<Scalar>& query, const Tensor<Scalar>& key,
                                  const Tensor<std::int32_t>& range,
                                  const DotProductAttentionOptions& options) {
  const auto scale = static_cast<Scalar>(attention_scale(query.shape(), options));
  const auto scores = ddx::matmul(query * scale, key, {.transpose_right = true});
  const auto visible = places_in_range(range, key.shape()[key.rank() - 2]);
  // Finite: of an empty range, the softmax is no NaN.
  const auto hidden = full<Scalar>({}, std::numeric_limits<Scalar>::lowest(), query.device());
  const auto weights = softmax(select(visible, scores, hidden));
  return select(visible, weights, zeros<Scalar>({}, query.device()));
}

}  // namespace detail

/// Attention of all queries to the keys in one range of places, [first, end). Keys and values
/// outside the range have no effect, even if they are NaN. The range is an array, so that one
/// recorded graph serves all ranges, for example of a sequence that grows in a cache. If the range
/// is empty, the result is zero.
///
/// Shapes:   query [batch..., queries, depth], key [batch..., keys, depth], value [batch..., keys,
///           out], range [2] -> [batch..., queries, out]; the batch axes are equal
/// DTypes:   the floating ones; f16 and bf16 are computed in f32 and rounded once
/// Throws:   UsageError as attention, where queries are causal, or the range is not one of the
///           keys.
/// Gradient: to query, key and value, zero outside the range. It holds the weights of all keys.
/// Cost:     O(queries (end - first) (depth + out)) time on the cpu device; others compute with all
///           keys.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> attention_over_range(
    const Tensor<Scalar>& query, const Tensor<Scalar>& key, const Tensor<Scalar>& value,
    const Tensor<std::int32_t>& range, const DotProductAttentionOptions& options = {},
    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::attention_over_range(query.array(), key.array(), value.array(),
                                                     range.array(), options, where));
}

// Primal:  s = a q k^T, p_ij = e^s_ij / sum of e^s_ij over the range, y = p v
// Adjoint: ds_ij = p_ij (adj[y_i] v_j - sum_k p_ik adj[y_i] v_k),
//          adj[q] += a ds k, adj[k] += a ds^T q, adj[v] += p^T adj[y]; of 16-bit elements in f32
// Saves:   q, k, v, range
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(attention_over_range)
auto attention_over_range_vjp(const Tensor<Scalar>& query, const Tensor<Scalar>& key,
                              const Tensor<Scalar>& value, const Tensor<std::int32_t>& range,
                              const DotProductAttentionOptions& options,
                              std::source_location where) {
  return detail::tensor_vjp(
      attention_over_range(query, key, value, range, options, where),
      [query, key, value, range, options](const Tensor<Scalar>& dy, Wanted<3>) {
        using Wide = WideScalar<Scalar>;
        const auto q = cast<Wide>(query);
        const auto k = cast<Wide>(detail::zero_outside(key, range));
        const auto v = cast<Wide>(detail::zero_outside(value, range));
        const auto c = cast<Wide>(dy);
        const auto p = detail::weights_over_range(q, k, range, options);
        const auto scale = static_cast<Wide>(detail::attention_scale(query.shape(), options));
        const auto slope = detail::softmax_product(p, matmul(c, v, {.transpose_right = true}), -1);
        return std::tuple(cast<Scalar>(matmul(slope, k) * scale),
                          cast<Scalar>(matmul(slope, q, {.transpose_left = true}) * scale),
                          cast<Scalar>(matmul(p, c, {.transpose_left = true})));
      });
}

// Tangent: p dv + t v with t_ij = p_ij (ds_ij - sum_k p_ik ds_ik) and ds = a (dq k^T + q dk^T); of
//          16-bit elements in f32
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(attention_over_range)
auto attention_over_range_jvp(const Tensor<Scalar>& query, const Tensor<Scalar>& key,
                              const Tensor<Scalar>& value, const Tensor<std::int32_t>& range,
                              const DotProductAttentionOptions& options, std::source_location where,
                              const Tensor<Scalar>& d_query, const Tensor<Scalar>& d_key,
                              const Tensor<Scalar>& d_value) {
  using Result = ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>;
  const auto y = attention_over_range(query, key, value, range, options, where);
  if (d_query.is_symbolic_zero() && d_key.is_symbolic_zero() && d_value.is_symbolic_zero()) {
    return Result{y, Tensor<Scalar>()};
  }
  using Wide = WideScalar<Scalar>;
  const auto q = cast<Wide>(query);
  // Of keys and of values, what lies in the range.
  const auto seen = [&range](const Tensor<Scalar>& x) {
    return cast<Wide>(detail::zero_outside(x, range));
  };
  const auto k = seen(key);
  const auto p = detail::weights_over_range(q, k, range, options);
  const auto ds = detail::score_tangent(q, k, cast<Wide>(detail::materialized(d_query, query)),
                                        seen(detail::materialized(d_key, key)), options);
  const auto tangent = matmul(p, seen(detail::materialized(d_value, value))) +
                       matmul(detail::softmax_product(p, ds, -1), seen(value));
  return Result{y, cast<Scalar>(tangent)};
}

}  // namespace ddx
