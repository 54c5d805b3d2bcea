/// \file
/// The self-attention of decoders.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/indices.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/nn/attention/attention_cache.h"
#include "ddx/nn/attention/rotary_embedding.h"
#include "ddx/nn/initializers/initializer.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/rms_norm.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/attention.h"
#include "ddx/tensor/axes.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/softmax.h"
#include "ddx/tensor/tensor.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <source_location>
#include <vector>

namespace ddx::models {

/// The settings of a normalisation by the root mean square, as nn::RMSNorm has them.
struct RMSNormSettings {
  double epsilon = 1e-6;  ///< Added to the mean square.
  double centre = 0;      ///< Added to the scale.

  friend bool operator==(const RMSNormSettings&, const RMSNormSettings&) = default;
};

namespace detail {

/// The layer with these settings.
template <FloatingScalar Scalar>
[[nodiscard]] nn::RMSNorm<Scalar> rms_norm(const RMSNormSettings& settings, std::int64_t features,
                                           Device device) {
  return nn::RMSNorm<Scalar>{{.features = features,
                              .epsilon = settings.epsilon,
                              .centre = settings.centre,
                              .device = device}};
}

}  // namespace detail

/// The settings of GroupedAttention.
struct GroupedAttentionOptions {
  std::int64_t features = 0;
  std::int64_t heads = 1;
  /// Heads of keys and values; each serves `heads / key_heads` of the queries. 0: as `heads`.
  std::int64_t key_heads = 0;
  std::int64_t head_features = 0;  ///< Of each head; 0: features / heads.
  bool input_bias = false;         ///< Of query, key and value.
  bool output_bias = false;
  /// How each head's queries and keys are normalised before they are rotated; none: they are not.
  std::optional<RMSNormSettings> head_norm = {};
  std::optional<double> scale = {};  ///< Of scores; none: 1 / sqrt(head_features).
  /// How many places a place sees at most, itself and those before it; 0: all.
  std::int64_t window = 0;
  nn::RotaryOptions rotary = {};
  nn::Initializer initializer = nn::Initializer::normal(0, 0.02);
  RandomKey key{0};  ///< Of the initial weights; `initialize` draws new ones.
  Device device = {};
};

namespace detail {

/// The options with what 0 or none means in the place of it, and a scale.
///
/// Throws: UsageError where an extent is below 1, `key_heads` does not divide `heads`, `heads` does
///         not divide `features` and there are no `head_features`, or the window is negative.
[[nodiscard]] GroupedAttentionOptions completed(GroupedAttentionOptions options);

/// The fewest queries that attend together where there is a window: fewer have little to compute.
inline constexpr std::int64_t least_queries = 64;

/// Which keys each query sees, of which the last stands at the place of the last query; symbolic
/// where the window reaches all keys that come before.
[[nodiscard]] Tensor<bool> window_mask(std::int64_t queries, std::int64_t keys, std::int64_t window,
                                       Device device);

/// The first of `keys` places that one of the last `queries` places sees.
[[nodiscard]] std::int64_t first_seen(std::int64_t queries, std::int64_t keys,
                                      std::int64_t window) noexcept;

}  // namespace detail

/// Self-attention in which each place sees those up to itself, with fewer heads of keys and values
/// than of queries, rotated places, and as options a window and normalised queries and keys.
///
/// Shapes:  x [n, time, features] -> [n, time, features]
/// Cost:    that of ddx::attention, which holds no scores, where the window is no shorter than the
///          sequence; else O(time window) time and memory per head. A place that continues a
///          sequence reads the keys of its window once for all queries of a group.
/// Source:  J. Ainslie et al., "GQA: training generalized multi-query transformer models from
///          multi-head checkpoints", EMNLP 2023. Windows: A. Jiang et al., "Mistral 7B", 2023.
template <FloatingScalar Scalar>
struct GroupedAttention {
  using Options = GroupedAttentionOptions;

  nn::Dense<Scalar> query;
  nn::Dense<Scalar> key;
  nn::Dense<Scalar> value;
  nn::Dense<Scalar> output;
  std::optional<nn::RMSNorm<Scalar>> query_norm;
  std::optional<nn::RMSNorm<Scalar>> key_norm;
  std::int64_t heads = 1;
  std::int64_t key_heads = 1;
  std::int64_t window = 0;
  double scale = 1;  ///< Of scores.
  nn::RotaryOptions rotary;

  /// Throws: UsageError where an extent is below 1, `key_heads` does not divide `heads`, `heads`
  ///         does not divide `features` and there are no `head_features`, or the window is
  ///         negative.
  explicit(false) GroupedAttention(const Options& options)
      : GroupedAttention(detail::completed(options), 0) {}

  /// Shapes:  x [n, time, features] -> [n, time, features]
  /// Throws:  UsageError where the shape does not fit.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    const auto queries = placed(query_norm, in_heads(query(x, where), heads, where), 0, where);
    const auto keys = placed(key_norm, in_heads(key(x, where), key_heads, where), 0, where);
    const auto values = in_heads(value(x, where), key_heads, where);
    return output(joined(attended(queries, keys, values, where)), where);
  }

  /// The attention of sequences whose beginnings are in a cache, which afterwards holds the new
  /// places too.
  ///
  /// Shapes:  x [n, new places, features] -> [n, new places, features]
  /// Throws:  UsageError where the shapes do not fit.
  [[nodiscard]] Tensor<Scalar> extend(
      const Tensor<Scalar>& x, nn::AttentionCache<Scalar>& cache,
      std::source_location where = std::source_location::current()) const {
    const std::int64_t first = cache.places();
    const auto queries = placed(query_norm, in_heads(query(x, where), heads, where), first, where);
    cache.append(placed(key_norm, in_heads(key(x, where), key_heads, where), first, where),
                 in_heads(value(x, where), key_heads, where), where);
    const std::int64_t seen = detail::first_seen(x.shape()[1], cache.places(), window);
    if (x.shape()[1] == 1) {
      const Shape s = queries.shape();
      const auto one = nn::attention_to_cache(in_groups(queries, where), cache, seen, scale, where);
      return output(joined(reshape(one, s, where)), where);
    }
    const auto keys = cache.from(cache.keys, seen, where);
    const auto values = cache.from(cache.values, seen, where);
    return output(joined(attended(queries, keys, values, where)), where);
  }

  DDX_DIFFERENTIABLE(GroupedAttention, query, key, value, output, query_norm, key_norm)
  DDX_NO_DERIVATIVE(heads, key_heads, window, scale, rotary)

 private:
  /// Of completed options.
  GroupedAttention(const Options& options, int /*tag*/)
      : query(projection(options, options.features, options.heads * options.head_features, 0)),
        key(projection(options, options.features, options.key_heads * options.head_features, 1)),
        value(projection(options, options.features, options.key_heads * options.head_features, 2)),
        output(projection(options, options.heads * options.head_features, options.features, 3)),
        query_norm(norm(options)),
        key_norm(norm(options)),
        heads(options.heads),
        key_heads(options.key_heads),
        window(options.window),
        scale(*options.scale),
        rotary(options.rotary) {}

  static typename nn::Dense<Scalar>::Options projection(const Options& options, std::int64_t in,
                                                        std::int64_t out, std::uint64_t number) {
    return {.in = in,
            .out = out,
            .bias = number == 3 ? options.output_bias : options.input_bias,
            .initializer = options.initializer,
            .key = options.key.fold_in(number),
            .device = options.device};
  }
  static std::optional<nn::RMSNorm<Scalar>> norm(const Options& options) {
    if (!options.head_norm) {
      return {};
    }
    return detail::rms_norm<Scalar>(*options.head_norm, options.head_features, options.device);
  }

  /// [n, time, count depth] -> [n, count, time, depth]
  Tensor<Scalar> in_heads(const Tensor<Scalar>& x, std::int64_t count,
                          std::source_location where) const {
    return transpose(
        reshape(x, nn::detail::head_extents("GroupedAttention", x.shape(), count, where), where),
        {0, 2, 1, 3}, where);
  }
  /// [n, heads, time, depth] -> [n, time, heads depth]
  Tensor<Scalar> joined(const Tensor<Scalar>& x) const {
    return reshape(transpose(x, {0, 2, 1, 3}), nn::detail::joined_extents(x.shape()));
  }
  /// Queries or keys, normalised and rotated.
  Tensor<Scalar> placed(const std::optional<nn::RMSNorm<Scalar>>& norm, const Tensor<Scalar>& x,
                        std::int64_t first, std::source_location where) const {
    nn::RotaryOptions options = rotary;
    options.first += first;
    if (norm) {
      return nn::rotary_embedding((*norm)(x, where), options, where);
    }
    return nn::rotary_embedding(x, options, where);
  }
  /// Keys or values, once for each head of queries.
  Tensor<Scalar> repeated(const Tensor<Scalar>& x, std::source_location where) const {
    if (heads == key_heads) {
      return x;
    }
    const Shape s = x.shape();
    const Shape groups{s[0], key_heads, heads / key_heads, s[2], s[3]};
    return reshape(broadcast_to(expand_dims(x, 2, where), groups, where), {s[0], heads, s[2], s[3]},
                   where);
  }
  Tensor<Scalar> attended(const Tensor<Scalar>& queries, const Tensor<Scalar>& keys,
                          const Tensor<Scalar>& values, std::source_location where) const {
    const auto all_keys = repeated(keys, where);
    const auto all_values = repeated(values, where);
    const Shape q = queries.shape();
    const Shape k = all_keys.shape();
    if (window == 0 || window >= k[2]) {
      return attention(queries, all_keys, all_values, {.scale = scale, .causal = true}, where);
    }
    const std::int64_t step = std::max(window, detail::least_queries);
    const std::int64_t before = k[2] - q[2];  // Keys in front of the place of the first query.
    std::vector<Tensor<Scalar>> parts;
    for (std::int64_t begin = 0; begin < q[2]; begin += step) {
      const std::int64_t end = std::min(begin + step, q[2]);
      const std::int64_t first = detail::first_seen(end - begin, before + end, window);
      const std::int64_t last = before + end;
      parts.push_back(in_window(
          slice(queries, {.start = {0, 0, begin, 0}, .stop = {q[0], q[1], end, q[3]}}, where),
          slice(all_keys, {.start = {0, 0, first, 0}, .stop = {k[0], k[1], last, k[3]}}, where),
          slice(all_values, {.start = {0, 0, first, 0}, .stop = {k[0], k[1], last, k[3]}}, where),
          where));
    }
    return concatenate(parts, 2, where);
  }
  /// The last query stands at the last key.
  Tensor<Scalar> in_window(const Tensor<Scalar>& queries, const Tensor<Scalar>& keys,
                           const Tensor<Scalar>& values, std::source_location where) const {
    const Tensor<bool> visible =
        detail::window_mask(queries.shape()[2], keys.shape()[2], window, queries.device());
    if (visible.is_symbolic_zero()) {
      return attention(queries, keys, values, {.scale = scale, .causal = true}, where);
    }
    const double factor = scale;  // Conversions of members to 16 bits have no derivative.
    const auto scores =
        matmul(queries * static_cast<Scalar>(factor), keys, {.transpose_right = true}, where);
    const auto never = full<Scalar>({}, -std::numeric_limits<Scalar>::infinity(), queries.device());
    return matmul(softmax(select(visible, scores, never), -1, where), values, {}, where);
  }
  /// [n, heads, 1, depth] -> [n, key heads, heads / key heads, depth]
  Tensor<Scalar> in_groups(const Tensor<Scalar>& queries, std::source_location where) const {
    const Shape s = queries.shape();
    return reshape(queries, {s[0], key_heads, heads / key_heads, s[3]}, where);
  }
};

}  // namespace ddx::models
