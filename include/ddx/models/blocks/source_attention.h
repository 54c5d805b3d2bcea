/// \file
/// Attention of places to keys and values that are given.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/nn/attention/attention_cache.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/initializers/initializer.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/dropout.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/axes.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/softmax.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx::models {

/// The settings of SourceAttention.
struct SourceAttentionOptions {
  std::int64_t features = 0;
  std::int64_t heads = 1;
  std::int64_t head_features = 1;
  bool bias = false;   ///< Of query, value and output.
  double scale = 1;    ///< Of scores.
  double dropout = 0;  ///< Of the weights of values.
  nn::Initializer initializer = nn::Initializer::normal(0, 0.02);
  RandomKey key{0};  ///< Of the initial weights.
  Device device = {};
};

/// Attention to a source, or to the places themselves, whose keys and values are computed apart, so
/// that they can be kept; a bias may be added to scores.
///
/// Source:  C. Raffel et al., "Exploring the limits of transfer learning with a unified
/// text-to-text
///          transformer", JMLR 2020.
template <FloatingScalar Scalar>
struct SourceAttention {
  using Options = SourceAttentionOptions;

  nn::Dense<Scalar> query;
  nn::Dense<Scalar> key;
  nn::Dense<Scalar> value;
  nn::Dense<Scalar> output;
  nn::Dropout<Scalar> dropout;
  std::int64_t heads = 1;
  double scale = 1;  ///< Of scores.

  /// Throws: UsageError where an extent is below 1, or the dropout is not in [0, 1).
  explicit(false) SourceAttention(const Options& options)
      : query(projection(options, 0)),
        key(projection(options, 1)),
        value(projection(options, 2)),
        output(projection(options, 3)),
        dropout{{.rate = options.dropout}},
        heads(options.heads),
        scale(options.scale) {}

  /// The keys of a source, and its values.
  ///
  /// Shapes:  source [n, time, features] -> [n, heads, time, depth]
  /// Throws:  UsageError where the shape does not fit.
  [[nodiscard]] Tensor<Scalar> keys_of(
      const Tensor<Scalar>& source,
      std::source_location where = std::source_location::current()) const {
    return in_heads(key(source, where), where);
  }
  [[nodiscard]] Tensor<Scalar> values_of(
      const Tensor<Scalar>& source,
      std::source_location where = std::source_location::current()) const {
    return in_heads(value(source, where), where);
  }

  /// Attention with these scores added, if any.
  ///
  /// Shapes:  x [n, time, features], keys and values [n, heads, keys, depth], bias [heads, time,
  ///          keys] -> [n, time, features]
  /// Throws:  UsageError where the shapes do not fit.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, const Tensor<Scalar>& keys, const Tensor<Scalar>& values,
      const Tensor<Scalar>& bias,
      std::source_location where = std::source_location::current()) const {
    return joined(scores(x, keys, where) + bias, values, where);
  }
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, const Tensor<Scalar>& keys, const Tensor<Scalar>& values,
      std::source_location where = std::source_location::current()) const {
    return joined(scores(x, keys, where), values, where);
  }

  DDX_DIFFERENTIABLE(SourceAttention, query, key, value, output, dropout)
  DDX_NO_DERIVATIVE(heads, scale)

 private:
  static typename nn::Dense<Scalar>::Options projection(const Options& options,
                                                        std::uint64_t number) {
    const std::int64_t inner = options.heads * options.head_features;
    return {.in = number == 3 ? inner : options.features,
            .out = number == 3 ? options.features : inner,
            .bias = options.bias && number != 1,
            .initializer = options.initializer,
            .key = options.key.fold_in(number),
            .device = options.device};
  }
  /// [n, time, heads depth] -> [n, heads, time, depth]
  Tensor<Scalar> in_heads(const Tensor<Scalar>& x, std::source_location where) const {
    return transpose(
        reshape(x, nn::detail::head_extents("SourceAttention", x.shape(), heads, where), where),
        {0, 2, 1, 3}, where);
  }
  Tensor<Scalar> scores(const Tensor<Scalar>& x, const Tensor<Scalar>& keys,
                        std::source_location where) const {
    const auto queries = in_heads(query(x, where), where);
    if (scale == 1) {
      return matmul(queries, keys, {.transpose_right = true}, where);
    }
    const double factor = scale;  // Conversions of members to 16 bits have no derivative.
    return matmul(queries * static_cast<Scalar>(factor), keys, {.transpose_right = true}, where);
  }
  Tensor<Scalar> joined(const Tensor<Scalar>& scores, const Tensor<Scalar>& values,
                        std::source_location where) const {
    const auto mixed = matmul(dropout(softmax(scores, -1, where)), values, {}, where);
    return output(
        reshape(transpose(mixed, {0, 2, 1, 3}, where), nn::detail::joined_extents(mixed.shape())),
        where);
  }
};

}  // namespace ddx::models
