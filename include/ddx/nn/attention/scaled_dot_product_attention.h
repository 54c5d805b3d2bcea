/// \file
/// Attention.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/nn/detail/options.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/attention.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/softmax.h"
#include "ddx/tensor/tensor.h"

#include <limits>
#include <optional>
#include <source_location>

namespace ddx::nn {

/// The settings of scaled_dot_product_attention.
struct AttentionOptions {
  /// Whether a query sees only the keys up to its own place. The last query stands at the last key,
  /// so that queries may continue keys that were computed before.
  bool causal = false;
  /// Which keys each query sees, broadcast to [batch, heads, queries, keys]; default-constructed:
  /// all.
  Tensor<bool> mask = {};
  std::optional<double> scale = {};  ///< What scores are multiplied by; without: 1 / sqrt(depth).
  double dropout = 0;                ///< The probability that a weight is zeroed.
  RandomKey key{0};                  ///< Which weights are zeroed.

  DDX_NO_DERIVATIVE(causal, mask, scale, dropout, key)
};

namespace detail {

/// The shape of the scores, [batch..., queries, keys].
///
/// Throws: UsageError where the operands do not fit each other.
[[nodiscard]] Shape scores_shape(const Shape& query, const Shape& key, const Shape& value,
                                 const std::source_location& where);

/// Which keys each query sees, broadcast to [..., queries, keys]; symbolic where all see all.
///
/// Throws: UsageError where the mask does not fit the scores.
Tensor<bool> visible_keys(const Shape& scores, const Tensor<bool>& mask, bool causal, Device device,
                          const std::source_location& where);

/// Whether every query is known to see a key: without a mask, where none stands before the first.
[[nodiscard]] inline bool each_sees_a_key(const Shape& query, const Shape& key,
                                          const AttentionOptions& options) {
  return options.mask.is_symbolic_zero() && query[query.rank() - 2] <= key[key.rank() - 2];
}

/// A number so low that softmax makes it 0 beside usual scores, but no infinity, of which softmax
/// would make NaN where a query sees no key.
template <FloatingScalar Scalar>
inline constexpr Scalar hidden_score = std::numeric_limits<Scalar>::lowest() / 2;

/// The weights, some of them zeroed and the others enlarged.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> thinned(const Tensor<Scalar>& weights,
                                     const AttentionOptions& options) {
  if (options.dropout == 0) {
    return weights;
  }
  const double kept = 1 - options.dropout;
  return weights * (random_bernoulli<Scalar>(options.key, weights.shape(), kept, weights.device()) *
                    static_cast<Scalar>(1 / kept));
}

}  // namespace detail

/// For each query the mean of the values, weighted by softmax of the query's products with the
/// keys: dropout(softmax(scale query key^T)) value. A query that sees no key gets zeros, and no
/// gradient flows through it.
///
/// Shapes:   query [batch..., queries, depth], key [batch..., keys, depth], value [batch..., keys,
///           out] -> [batch..., queries, out]; the batch axes (samples and heads) are equal
/// Throws:   UsageError where the shapes do not fit, the mask does not broadcast to the scores, or
///           the dropout is not in [0, 1).
/// Cost:     O(queries keys (depth + out)) time. Without a mask and dropout it is ddx::attention,
///           which holds no scores; else O(queries keys) memory per batch element.
/// Source:   A. Vaswani et al., "Attention is all you need", NeurIPS 2017.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> scaled_dot_product_attention(
    const Tensor<Scalar>& query, const Tensor<Scalar>& key, const Tensor<Scalar>& value,
    const AttentionOptions& options = {},
    std::source_location where = std::source_location::current()) {
  detail::require_fraction("scaled_dot_product_attention", "dropout", options.dropout);
  const Shape shape = detail::scores_shape(query.shape(), key.shape(), value.shape(), where);
  const DotProductAttentionOptions fused{.scale = options.scale, .causal = options.causal};
  if (options.mask.is_symbolic_zero() && options.dropout == 0) {
    return attention(query, key, value, fused, where);
  }
  const Tensor<bool> visible =
      detail::visible_keys(shape, options.mask, options.causal, query.device(), where);
  const double scale = ddx::detail::attention_scale(query.shape(), fused);
  const auto scores =
      matmul(query * static_cast<Scalar>(scale), key, {.transpose_right = true}, where);
  if (visible.is_symbolic_zero()) {
    return matmul(detail::thinned(softmax(scores, -1, where), options), value, {}, where);
  }
  if (detail::each_sees_a_key(query.shape(), key.shape(), options)) {
    const auto never = full<Scalar>({}, -std::numeric_limits<Scalar>::infinity(), query.device());
    const auto weights = softmax(select(visible, scores, never), -1, where);
    return matmul(detail::thinned(weights, options), value, {}, where);
  }
  const auto hidden = full<Scalar>({}, detail::hidden_score<Scalar>, query.device());
  const auto weights = softmax(select(visible, scores, hidden), -1, where);
  const auto seen = select(visible, weights, Tensor<Scalar>());
  return matmul(detail::thinned(seen, options), value, {}, where);
}

}  // namespace ddx::nn
