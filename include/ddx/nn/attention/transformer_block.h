/// \file
/// The block that transformers repeat.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/activation.h"
#include "ddx/nn/attention/attention_cache.h"
#include "ddx/nn/attention/multi_head_attention.h"
#include "ddx/nn/attention/rotary_embedding.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/dropout.h"
#include "ddx/nn/layers/layer_norm.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <optional>
#include <source_location>

namespace ddx::nn {

/// Where a transformer block normalises.
enum class NormOrder : std::uint8_t {
  Before,  ///< x + f(norm(x)), as in GPT-2.
  After,   ///< norm(x + f(x)), as in the first transformer and BERT.
};

/// Self-attention, then two dense layers at each place, each with dropout, normalisation and a way
/// past it.
///
/// Shapes:  x [n, time, features] -> [n, time, features]
/// Source:  A. Vaswani et al., "Attention is all you need", NeurIPS 2017; the order Before: R.
///          Xiong et al., "On layer normalization in the transformer architecture", ICML 2020.
template <FloatingScalar Scalar>
struct TransformerBlock {
  struct Options {
    std::int64_t features = 0;
    std::int64_t heads = 1;
    std::int64_t hidden = 0;  ///< Of the first dense layer; 0: four times `features`.
    NormOrder order = NormOrder::Before;
    Activation activation = Activation::GELU;
    bool bias = true;  ///< Of the dense layers and of those of attention.
    bool causal = false;
    /// Of the weights of attention, of its result and of the result of the second dense layer, as
    /// in BERT and GPT-2.
    double dropout = 0;
    std::optional<double> attention_dropout =
        {};                         ///< Of the weights of attention; none: `dropout`.
    double activation_dropout = 0;  ///< Behind the activation, where BERT and GPT-2 have none.
    double epsilon = 1e-5;
    std::optional<RotaryOptions> rotary = {};
    RandomKey key{0};
    Device device = {};
  };

  LayerNorm<Scalar> attention_norm;
  MultiHeadAttention<Scalar> attention;
  Dropout<Scalar> attention_dropout;
  LayerNorm<Scalar> dense_norm;
  Dense<Scalar> widen;
  Dropout<Scalar> hidden_dropout;
  Dense<Scalar> narrow;
  Dropout<Scalar> output_dropout;
  NormOrder order = NormOrder::Before;

  /// Throws: UsageError where an extent is below 1, `heads` does not divide `features`, or a
  ///         dropout is not in [0, 1).
  explicit(false) TransformerBlock(const Options& options)
      : attention_norm(norm(checked(options))),
        attention({.features = options.features,
                   .heads = options.heads,
                   .bias = options.bias,
                   .causal = options.causal,
                   .dropout = options.attention_dropout.value_or(options.dropout),
                   .rotary = options.rotary,
                   .key = options.key.fold_in(0),
                   .device = options.device}),
        attention_dropout({.rate = options.dropout}),
        dense_norm(norm(options)),
        widen({.in = options.features,
               .out = hidden_extent(options),
               .bias = options.bias,
               .activation = options.activation,
               .key = options.key.fold_in(1),
               .device = options.device}),
        hidden_dropout({.rate = options.activation_dropout}),
        narrow({.in = hidden_extent(options),
                .out = options.features,
                .bias = options.bias,
                .key = options.key.fold_in(2),
                .device = options.device}),
        output_dropout({.rate = options.dropout}),
        order(options.order) {}

  /// Shapes:  x [n, time, features] -> [n, time, features]
  /// Throws:  UsageError where the shape does not fit.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    return (*this)(x, Tensor<bool>(), where);
  }

  /// As above; the mask says which places each place sees, such as those that are no padding.
  ///
  /// Shapes:  x [n, time, features], mask broadcast to [n, heads, time, time] -> [n, time,
  ///          features]
  /// Throws:  UsageError where the shapes do not fit.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, const Tensor<bool>& mask,
      std::source_location where = std::source_location::current()) const {
    const auto seen = before_attention(x, where);
    return after_attention(x, attention(seen, seen, mask, where), where);
  }

  /// The block on sequences whose beginnings are in a cache; see MultiHeadAttention::extend.
  ///
  /// Shapes:  x [n, new places, features] -> [n, new places, features]
  /// Throws:  UsageError where the shapes do not fit.
  [[nodiscard]] Tensor<Scalar> extend(
      const Tensor<Scalar>& x, AttentionCache<Scalar>& cache,
      std::source_location where = std::source_location::current()) const {
    return after_attention(x, attention.extend(before_attention(x, where), cache, where), where);
  }

  DDX_DIFFERENTIABLE(TransformerBlock, attention_norm, attention, attention_dropout, dense_norm,
                     widen, hidden_dropout, narrow, output_dropout)
  DDX_NO_DERIVATIVE(order)

 private:
  static const Options& checked(const Options& options) {
    detail::require_positive("TransformerBlock", "features", options.features);
    detail::require_at_least("TransformerBlock", "hidden", options.hidden, 0);
    return options;
  }
  static std::int64_t hidden_extent(const Options& options) {
    return options.hidden == 0 ? 4 * options.features : options.hidden;
  }
  static typename LayerNorm<Scalar>::Options norm(const Options& options) {
    return {.features = options.features, .epsilon = options.epsilon, .device = options.device};
  }

  Tensor<Scalar> before_attention(const Tensor<Scalar>& x, std::source_location where) const {
    if (order == NormOrder::After) {
      return x;
    }
    return attention_norm(x, where);
  }

  /// The block behind its attention.
  Tensor<Scalar> after_attention(const Tensor<Scalar>& x, const Tensor<Scalar>& attended,
                                 std::source_location where) const {
    const auto sum = x + attention_dropout(attended);
    if (order == NormOrder::After) {
      const auto y = attention_norm(sum, where);
      return dense_norm(y + dense(y, where), where);
    }
    return sum + dense(dense_norm(sum, where), where);
  }

  Tensor<Scalar> dense(const Tensor<Scalar>& x, std::source_location where) const {
    return output_dropout(narrow(hidden_dropout(widen(x, where)), where));
  }
};

}  // namespace ddx::nn
