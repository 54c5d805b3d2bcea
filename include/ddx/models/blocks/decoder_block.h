/// \file
/// The block that decoders repeat.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/models/blocks/gated_dense.h"
#include "ddx/models/blocks/grouped_attention.h"
#include "ddx/models/blocks/routed_dense.h"
#include "ddx/nn/activation.h"
#include "ddx/nn/attention/attention_cache.h"
#include "ddx/nn/layers/rms_norm.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <optional>
#include <source_location>

namespace ddx::models {

/// The settings of DecoderBlock.
struct DecoderBlockOptions {
  GroupedAttentionOptions attention;  ///< With the features, the initial weights and the device.
  std::int64_t hidden = 0;            ///< Of the dense layers.
  RoutedDenseOptions routing = {};    ///< With experts, each place uses some of the dense layers.
  nn::Activation activation = nn::Activation::SiLU;  ///< Of the gate.
  RMSNormSettings norm = {};
  /// Whether the results of attention and of the dense layers are normalised too, as in Gemma.
  bool norms_results = false;
};

/// Attention, then gated dense layers or a mixture of experts, each behind a normalisation and with
/// a way past it.
///
/// Shapes:  x [n, time, features] -> [n, time, features]
/// Source:  H. Touvron et al., "LLaMA: open and efficient foundation language models", 2023.
template <FloatingScalar Scalar>
struct DecoderBlock {
  using Options = DecoderBlockOptions;

  nn::RMSNorm<Scalar> attention_norm;
  GroupedAttention<Scalar> attention;
  std::optional<nn::RMSNorm<Scalar>> attended_norm;
  nn::RMSNorm<Scalar> dense_norm;
  GatedDense<Scalar> dense;  ///< None where there are experts.
  std::optional<RoutedDense<Scalar>> experts;
  std::optional<nn::RMSNorm<Scalar>> result_norm;

  /// Throws: UsageError as GroupedAttention, GatedDense and RoutedDense.
  explicit(false) DecoderBlock(const Options& options)
      : attention_norm(norm(options)),
        attention(options.attention),
        attended_norm(norm_of_result(options)),
        dense_norm(norm(options)),
        dense(options.routing.experts > 0 ? GatedDense<Scalar>::none(options.attention.device)
                                          : GatedDense<Scalar>(dense_options(options))),
        experts(experts_for(options)),
        result_norm(norm_of_result(options)) {}

  /// Shapes:  x [n, time, features] -> [n, time, features]
  /// Throws:  UsageError where the shape does not fit.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    return after_attention(x, attention(attention_norm(x, where), where), where);
  }

  /// The block on sequences whose beginnings are in a cache; see GroupedAttention::extend.
  ///
  /// Shapes:  x [n, new places, features] -> [n, new places, features]
  /// Throws:  UsageError where the shapes do not fit.
  [[nodiscard]] Tensor<Scalar> extend(
      const Tensor<Scalar>& x, nn::AttentionCache<Scalar>& cache,
      std::source_location where = std::source_location::current()) const {
    return after_attention(x, attention.extend(attention_norm(x, where), cache, where), where);
  }

  DDX_DIFFERENTIABLE(DecoderBlock, attention_norm, attention, attended_norm, dense_norm, dense,
                     experts, result_norm)

 private:
  static nn::RMSNorm<Scalar> norm(const Options& options) {
    return detail::rms_norm<Scalar>(options.norm, options.attention.features,
                                    options.attention.device);
  }
  static std::optional<nn::RMSNorm<Scalar>> norm_of_result(const Options& options) {
    return options.norms_results ? std::optional(norm(options)) : std::nullopt;
  }
  static typename GatedDense<Scalar>::Options dense_options(const Options& options) {
    return {.features = options.attention.features,
            .hidden = options.hidden,
            .activation = options.activation,
            .initializer = options.attention.initializer,
            .key = options.attention.key.fold_in(4),
            .device = options.attention.device};
  }
  static std::optional<RoutedDense<Scalar>> experts_for(const Options& options) {
    if (options.routing.experts == 0) {
      return {};
    }
    return RoutedDense<Scalar>(options.routing, dense_options(options));
  }

  Tensor<Scalar> transformed(const Tensor<Scalar>& x, std::source_location where) const {
    if (experts) {
      return (*experts)(x, where);
    }
    return dense(x, where);
  }
  Tensor<Scalar> after_attention(const Tensor<Scalar>& x, const Tensor<Scalar>& attended,
                                 std::source_location where) const {
    const auto sum = x + normalized(attended_norm, attended, where);
    return sum + normalized(result_norm, transformed(dense_norm(sum, where), where), where);
  }
  static Tensor<Scalar> normalized(const std::optional<nn::RMSNorm<Scalar>>& norm,
                                   const Tensor<Scalar>& x, std::source_location where) {
    if (norm) {
      return (*norm)(x, where);
    }
    return x;
  }
};

}  // namespace ddx::models
