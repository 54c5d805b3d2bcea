/// \file
/// Attention as a layer.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/indices.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/attention/attention_cache.h"
#include "ddx/nn/attention/rotary_embedding.h"
#include "ddx/nn/attention/scaled_dot_product_attention.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/detail/sample_shapes.h"
#include "ddx/nn/initializers/initializer.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <optional>
#include <source_location>

namespace ddx::nn {

/// Attention in several heads: query, key and value of each head are linear in the features, the
/// heads' results side by side go through a last linear map. Self-attention of one sequence, or
/// attention of one sequence to another, the context.
///
/// Shapes:  x [n, time, features], context [n, places, context features] -> [n, time, features]
/// Source:  A. Vaswani et al., "Attention is all you need", NeurIPS 2017.
template <FloatingScalar Scalar>
struct MultiHeadAttention {
  struct Options {
    std::int64_t features = 0;
    std::int64_t heads = 1;
    std::int64_t context_features = 0;  ///< 0: as `features`.
    bool bias = true;
    bool causal = false;                       ///< Whether a place sees only those up to itself.
    double dropout = 0;                        ///< The rate of dropout of weights in training.
    std::optional<RotaryOptions> rotary = {};  ///< Whether and how queries and keys are rotated.
    Initializer initializer = Initializer::GlorotUniform;
    RandomKey key{0};  ///< Of the initial weights; `initialize` draws new ones.
    Device device = {};
  };

  Dense<Scalar> query;
  Dense<Scalar> key;
  Dense<Scalar> value;
  Dense<Scalar> output;
  std::int64_t heads = 1;
  AttentionOptions attention;  ///< Its mask is the call's, its dropout that of a training step.
  double dropout = 0;
  bool rotates = false;
  RotaryOptions rotary;

  /// Throws: UsageError where `features` or `heads` is below 1, `heads` does not divide `features`,
  ///         `context_features` is negative, or the dropout is not in [0, 1).
  explicit(false) MultiHeadAttention(const Options& options)
      : query(projection(checked(options), options.features, 0)),
        key(projection(options, context_extent(options), 1)),
        value(projection(options, context_extent(options), 2)),
        output(projection(options, options.features, 3)),
        heads(options.heads),
        attention{.causal = options.causal},
        dropout(options.dropout),
        rotates(options.rotary.has_value()),
        rotary(options.rotary.value_or(RotaryOptions{})) {}

  /// The key decides which weights are zeroed until the step ends.
  void begin_step(RandomKey key_of_step) {
    attention.dropout = dropout;
    attention.key = key_of_step;
  }
  /// No more dropout; the key is forgotten, so that models after a step do not differ by it.
  void end_step() {
    attention.dropout = 0;
    attention.key = RandomKey(0);
  }

  /// Self-attention.
  ///
  /// Shapes:  x [n, time, features] -> [n, time, features]
  /// Throws:  UsageError where the shape does not fit.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    return (*this)(x, x, Tensor<bool>(), where);
  }

  /// Attention to a context; the mask, which may be left out, says which places of the context each
  /// place of x sees.
  ///
  /// Shapes:  x [n, time, features], context [n, places, context features], mask broadcast to [n,
  ///          heads, time, places] -> [n, time, features]
  /// Throws:  UsageError where the shapes do not fit.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, const Tensor<Scalar>& context, const Tensor<bool>& mask = {},
      std::source_location where = std::source_location::current()) const {
    const auto queries = rotated(in_heads(query(x, where), where), 0, where);
    const auto keys = rotated(in_heads(key(context, where), where), 0, where);
    const auto values = in_heads(value(context, where), where);
    AttentionOptions options = attention;
    options.mask = mask;
    return output(joined(scaled_dot_product_attention(queries, keys, values, options, where)),
                  where);
  }

  /// Self-attention of sequences whose beginnings are in a cache, which afterwards holds the new
  /// places too. For generating one place after another; the new places see the old ones.
  ///
  /// Shapes:  x [n, new places, features] -> [n, new places, features]
  /// Throws:  UsageError where the shapes do not fit.
  [[nodiscard]] Tensor<Scalar> extend(
      const Tensor<Scalar>& x, AttentionCache<Scalar>& cache,
      std::source_location where = std::source_location::current()) const {
    const std::int64_t first = cache.places();
    const auto queries = rotated(in_heads(query(x, where), where), first, where);
    cache.append(rotated(in_heads(key(x, where), where), first, where),
                 in_heads(value(x, where), where), where);
    const bool is_plain = attention.mask.is_symbolic_zero() && attention.dropout == 0;
    if (is_plain && x.shape()[1] == 1) {
      const double scale =
          ddx::detail::attention_scale(queries.shape(), {.scale = attention.scale});
      return output(joined(attention_to_cache(queries, cache, 0, scale, where)), where);
    }
    return output(
        joined(scaled_dot_product_attention(queries, cache.from(cache.keys, 0, where),
                                            cache.from(cache.values, 0, where), attention, where)),
        where);
  }

  DDX_DIFFERENTIABLE(MultiHeadAttention, query, key, value, output)
  DDX_NO_DERIVATIVE(heads, attention, dropout, rotates, rotary)

 private:
  static const Options& checked(const Options& options) {
    detail::require_positive("MultiHeadAttention", "features", options.features);
    detail::require_positive("MultiHeadAttention", "heads", options.heads);
    detail::require_divisor("MultiHeadAttention", "heads", options.heads, "features",
                            options.features);
    detail::require_at_least("MultiHeadAttention", "context_features", options.context_features, 0);
    detail::require_fraction("MultiHeadAttention", "dropout", options.dropout);
    return options;
  }
  static std::int64_t context_extent(const Options& options) {
    return options.context_features == 0 ? options.features : options.context_features;
  }
  static typename Dense<Scalar>::Options projection(const Options& options, std::int64_t in,
                                                    std::uint64_t number) {
    return {.in = in,
            .out = options.features,
            .bias = options.bias,
            .initializer = options.initializer,
            .key = options.key.fold_in(number),
            .device = options.device};
  }

  /// [n, time, features] -> [n, heads, time, depth]
  Tensor<Scalar> in_heads(const Tensor<Scalar>& x, std::source_location where) const {
    return transpose(
        reshape(x, detail::head_extents("MultiHeadAttention", x.shape(), heads, where), where),
        {0, 2, 1, 3}, where);
  }
  /// [n, heads, time, depth] -> [n, time, features]
  Tensor<Scalar> joined(const Tensor<Scalar>& x) const {
    return reshape(transpose(x, {0, 2, 1, 3}), detail::joined_extents(x.shape()));
  }
  Tensor<Scalar> rotated(const Tensor<Scalar>& x, std::int64_t first,
                         std::source_location where) const {
    if (!rotates) {
      return x;
    }
    RotaryOptions options = rotary;
    options.first += first;
    return rotary_embedding(x, options, where);
  }
};

}  // namespace ddx::nn
