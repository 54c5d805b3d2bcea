/// \file
/// Transformers that read one text and write another.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/models/blocks/gated_dense.h"
#include "ddx/models/blocks/source_attention.h"
#include "ddx/models/generation/token_predictor.h"
#include "ddx/models/text/t5_options.h"
#include "ddx/nn/activation.h"
#include "ddx/nn/attention/attention_cache.h"
#include "ddx/nn/initializers/initializer.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/dropout.h"
#include "ddx/nn/layers/embedding.h"
#include "ddx/nn/layers/rms_norm.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/axes.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/indexing.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <source_location>
#include <utility>
#include <vector>

namespace ddx::models {

/// Attention, in the decoder attention to the source, and dense layers, each behind a normalisation
/// and with a way past it.
///
/// Shapes:  x [n, time, features], bias [heads, time, keys] -> [n, time, features]
template <FloatingScalar Scalar>
struct T5Block {
  nn::RMSNorm<Scalar> attention_norm;
  SourceAttention<Scalar> attention;
  std::optional<nn::RMSNorm<Scalar>> source_norm;  ///< In the decoder alone.
  std::optional<SourceAttention<Scalar>> source_attention;
  nn::RMSNorm<Scalar> dense_norm;
  std::optional<GatedDense<Scalar>> gated;
  std::optional<nn::Dense<Scalar>> widen;  ///< With `narrow` where the layers are not gated.
  std::optional<nn::Dense<Scalar>> narrow;
  nn::Dropout<Scalar> hidden_dropout;
  nn::Dropout<Scalar> attention_dropout;
  nn::Dropout<Scalar> source_dropout;
  nn::Dropout<Scalar> dense_dropout;

  /// Throws: UsageError where an extent is below 1, or the dropout is not in [0, 1).
  T5Block(const T5Options& options, bool is_decoder, RandomKey key)
      : attention_norm(norm(options)),
        attention(attention_options(options, key.fold_in(0))),
        dense_norm(norm(options)),
        hidden_dropout{{.rate = options.dropout}},
        attention_dropout{{.rate = options.dropout}},
        source_dropout{{.rate = options.dropout}},
        dense_dropout{{.rate = options.dropout}} {
    if (is_decoder) {
      source_norm = norm(options);
      source_attention = SourceAttention<Scalar>(attention_options(options, key.fold_in(1)));
    }
    if (options.gated) {
      gated = GatedDense<Scalar>({.features = options.features,
                                  .hidden = options.hidden,
                                  .activation = options.activation,
                                  .key = key.fold_in(2)});
    } else {
      widen = nn::Dense<Scalar>({.in = options.features,
                                 .out = options.hidden,
                                 .bias = false,
                                 .activation = options.activation,
                                 .initializer = nn::Initializer::normal(0, 0.02),
                                 .key = key.fold_in(2)});
      narrow = nn::Dense<Scalar>({.in = options.hidden,
                                  .out = options.features,
                                  .bias = false,
                                  .initializer = nn::Initializer::normal(0, 0.02),
                                  .key = key.fold_in(3)});
    }
  }

  /// The block of the encoder.
  ///
  /// Shapes:  x [n, time, features], bias [heads, time, time] -> [n, time, features]
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, const Tensor<Scalar>& bias,
      std::source_location where = std::source_location::current()) const {
    const auto seen = attention_norm(x, where);
    return after_attention(x,
                           attention(seen, attention.keys_of(seen, where),
                                     attention.values_of(seen, where), bias, where),
                           where);
  }

  /// The block of the decoder beside keys and values of a source.
  ///
  /// Shapes:  x [n, time, features], source [n, heads, places, depth], bias [heads, time, time] ->
  ///          [n, time, features]
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, const Tensor<Scalar>& encoded, const Tensor<Scalar>& bias,
      std::source_location where = std::source_location::current()) const {
    const auto seen = attention_norm(x, where);
    const auto attended =
        x + attention_dropout(attention(seen, attention.keys_of(seen, where),
                                        attention.values_of(seen, where), bias, where));
    const auto asked = (*source_norm)(attended, where);
    const auto& other = *source_attention;
    return after_dense(attended + source_dropout(other(asked, other.keys_of(encoded, where),
                                                       other.values_of(encoded, where), where)),
                       where);
  }

  /// The same with what is kept of the places before, to which those of `x` are added.
  ///
  /// Shapes:  x [n, new places, features] -> [n, new places, features]
  [[nodiscard]] Tensor<Scalar> extend(
      const Tensor<Scalar>& x, nn::AttentionCache<Scalar>& own,
      const nn::AttentionCache<Scalar>& source, const Tensor<Scalar>& bias,
      std::source_location where = std::source_location::current()) const {
    const auto seen = attention_norm(x, where);
    own.append(attention.keys_of(seen, where), attention.values_of(seen, where), where);
    const auto attended = x + attention(seen, own.from(own.keys, 0, where),
                                        own.from(own.values, 0, where), bias, where);
    const auto asked = (*source_norm)(attended, where);
    return after_dense(attended + (*source_attention)(asked, source.keys, source.values, where),
                       where);
  }

  DDX_DIFFERENTIABLE(T5Block, attention_norm, attention, source_norm, source_attention, dense_norm,
                     gated, widen, narrow, hidden_dropout, attention_dropout, source_dropout,
                     dense_dropout)

 private:
  static nn::RMSNorm<Scalar> norm(const T5Options& options) {
    return nn::RMSNorm<Scalar>{{.features = options.features, .epsilon = options.epsilon}};
  }
  static SourceAttentionOptions attention_options(const T5Options& options, RandomKey key) {
    return {.features = options.features,
            .heads = options.heads,
            .head_features = options.head_features,
            .dropout = options.dropout,
            .key = key};
  }
  Tensor<Scalar> after_attention(const Tensor<Scalar>& x, const Tensor<Scalar>& attended,
                                 std::source_location where) const {
    return after_dense(x + attention_dropout(attended), where);
  }
  Tensor<Scalar> after_dense(const Tensor<Scalar>& x, std::source_location where) const {
    return x + dense_dropout(transformed(dense_norm(x, where), where));
  }
  Tensor<Scalar> transformed(const Tensor<Scalar>& x, std::source_location where) const {
    if (gated) {
      return gated->down(hidden_dropout(gated->gate(x, where) * gated->up(x, where)), where);
    }
    return (*narrow)(hidden_dropout((*widen)(x, where)), where);
  }
};

/// The blocks of an encoder or a decoder, which share what distances add to scores.
template <FloatingScalar Scalar>
struct T5Stack {
  std::vector<T5Block<Scalar>> blocks;
  Tensor<Scalar> distances;  ///< [buckets, heads], added to scores.
  nn::RMSNorm<Scalar> norm;
  nn::Dropout<Scalar> token_dropout;
  nn::Dropout<Scalar> result_dropout;

  /// Throws: UsageError as T5Block.
  T5Stack(const T5Options& options, bool is_decoder)
      : distances(nn::initial_values<Scalar>(nn::Initializer::normal(0, 0.02),
                                             {options.buckets, options.heads}, {},
                                             RandomKey(is_decoder ? 1U : 2U))),
        norm{{.features = options.features, .epsilon = options.epsilon}},
        token_dropout{{.rate = options.dropout}},
        result_dropout{{.rate = options.dropout}} {
    const std::int64_t count = is_decoder ? options.decoder_blocks : options.encoder_blocks;
    for (std::int64_t i = 0; i < count; ++i) {
      blocks.push_back(
          T5Block<Scalar>(options, is_decoder,
                          RandomKey(is_decoder ? 3U : 4U).fold_in(static_cast<std::uint64_t>(i))));
    }
  }

  /// What is added to the scores of pairs of places in these buckets.
  ///
  /// Shapes:  buckets [queries, keys] -> [heads, queries, keys]
  [[nodiscard]] Tensor<Scalar> bias(const Tensor<std::int32_t>& buckets,
                                    std::source_location where) const {
    return transpose(gather(distances, buckets, 0, where), {2, 0, 1}, where);
  }
  /// The same where one more bucket is that of places that are not seen.
  [[nodiscard]] Tensor<Scalar> causal_bias(const Tensor<std::int32_t>& buckets,
                                           std::source_location where) const {
    const auto unseen = full<Scalar>({1, distances.shape()[1]},
                                     -std::numeric_limits<Scalar>::infinity(), distances.device());
    const auto rows = concatenate(std::vector<Tensor<Scalar>>{distances, unseen}, 0, where);
    return transpose(gather(rows, buckets, 0, where), {2, 0, 1}, where);
  }

  DDX_DIFFERENTIABLE(T5Stack, blocks, distances, norm, token_dropout, result_dropout)
};

/// An encoder that reads a text in both directions, and a decoder that predicts the next token of
/// another one: T5, T5 1.1, Flan-T5. T5 small has 60,506,624 parameters.
///
/// Shapes:  source [n, places], target [n, time] -> [n, time, vocabulary], scores of the token
///          after each of the target
/// Source:  C. Raffel et al., "Exploring the limits of transfer learning with a unified
/// text-to-text
///          transformer", JMLR 2020.
/// Example:
///   auto model = models::load_pretrained<models::T5<float>>("t5-small");
///   const models::Answering answering(model, model.encode(source));
///   const auto tokens = models::generate(answering, {0}, {.greedy = true, .end_tokens = {1}});
template <FloatingScalar Scalar>
struct T5 {
  using Options = T5Options;
  /// What the decoder keeps of a source, and of the sequence so far.
  struct Cache {
    std::vector<nn::AttentionCache<Scalar>> source;
    std::vector<nn::AttentionCache<Scalar>> own;
  };
  static constexpr ContextLimit context_limit = ContextLimit::None;

  nn::Embedding<Scalar> tokens;
  T5Stack<Scalar> encoder;
  T5Stack<Scalar> decoder;
  std::optional<nn::Dense<Scalar>> head;  ///< None where it is tied to the tokens.
  Options options;

  /// Throws: UsageError where an extent is below 1, there are fewer than four buckets, the distance
  ///         is not above half of them, or the dropout is not in [0, 1).
  explicit T5(const Options& given = {})
      : tokens{{.count = detail::checked(given).vocabulary, .features = given.features}},
        encoder(given, false),
        decoder(given, true),
        options(given) {
    if (!given.tied_head) {
      head = nn::Dense<Scalar>({.in = given.features,
                                .out = given.vocabulary,
                                .bias = false,
                                .initializer = nn::Initializer::normal(0, 0.02)});
    }
  }

  /// The longest sequence: there is no limit.
  [[nodiscard]] std::int64_t context() const noexcept {
    return std::numeric_limits<std::int64_t>::max();
  }
  /// How many different tokens there are.
  [[nodiscard]] std::int64_t vocabulary() const noexcept { return options.vocabulary; }
  /// Where sequences are to lie.
  [[nodiscard]] Device device() const { return tokens.weight.device(); }

  /// The encoder's vectors of a text, without padding.
  ///
  /// Shapes:  source [n, places] -> [n, places, features]
  /// Throws:  UsageError where a token is not in [0, vocabulary).
  template <IndexScalar Index = std::int32_t>
  [[nodiscard]] Tensor<Scalar> encode(
      const Tensor<Index>& source,
      std::source_location where = std::source_location::current()) const {
    const auto bias = encoder.bias(buckets(source.shape(), false), where);
    auto x = encoder.token_dropout(tokens(source, where));
    for (const auto& block : encoder.blocks) {
      x = block(x, bias, where);
    }
    return encoder.result_dropout(encoder.norm(x, where));
  }

  /// Shapes:  source [n, places], target [n, time] -> [n, time, vocabulary]
  /// Throws:  UsageError where a token is not in [0, vocabulary), or the numbers of sequences
  /// differ.
  template <IndexScalar Index = std::int32_t>
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Index>& source, const Tensor<Index>& target,
      std::source_location where = std::source_location::current()) const {
    const auto encoded = encode(source, where);
    const auto bias = decoder.causal_bias(buckets(target.shape(), true), where);
    auto x = decoder.token_dropout(tokens(target, where));
    for (const auto& block : decoder.blocks) {
      x = block(x, encoded, bias, where);
    }
    return scores(decoder.result_dropout(decoder.norm(x, where)), where);
  }

  /// What continues sequences beside what encode returned.
  ///
  /// Shapes:  encoded [n, places, features]
  [[nodiscard]] Cache beginning(
      const Tensor<Scalar>& encoded,
      std::source_location where = std::source_location::current()) const {
    Cache cache;
    cache.own.resize(decoder.blocks.size());
    for (const auto& block : decoder.blocks) {
      cache.source.emplace_back().append(block.source_attention->keys_of(encoded, where),
                                         block.source_attention->values_of(encoded, where), where);
    }
    return cache;
  }

  /// The scores of a target whose beginning is in `cache`, which afterwards holds all of it.
  ///
  /// Shapes:  continuation [n, new places] -> [n, new places, vocabulary]
  /// Throws:  UsageError where a token is not in [0, vocabulary), or the numbers of sequences
  /// differ.
  template <IndexScalar Index = std::int32_t>
  [[nodiscard]] Tensor<Scalar> extend(
      const Tensor<Index>& continuation, Cache& cache,
      std::source_location where = std::source_location::current()) const {
    const std::int64_t count = continuation.shape()[1];
    const auto bias =
        decoder.causal_bias(detail::distance_buckets(count, cache.own.front().places() + count,
                                                     options, true, device()),
                            where);
    auto x = tokens(continuation, where);
    for (std::size_t i = 0; i < decoder.blocks.size(); ++i) {
      x = decoder.blocks[i].extend(x, cache.own[i], cache.source[i], bias, where);
    }
    return scores(decoder.norm(x, where), where);
  }

  DDX_DIFFERENTIABLE(T5, tokens, encoder, decoder, head)
  DDX_NO_DERIVATIVE(options)

 private:
  [[nodiscard]] Tensor<std::int32_t> buckets(const Shape& sequence, bool is_decoder) const {
    const std::int64_t time = sequence.rank() < 2 ? 0 : sequence[1];
    return detail::distance_buckets(time, time, options, is_decoder, device());
  }
  Tensor<Scalar> scores(const Tensor<Scalar>& x, std::source_location where) const {
    const double scale =
        options.scaled_scores ? 1 / std::sqrt(static_cast<double>(options.features)) : 1;
    const auto scaled = x * static_cast<Scalar>(scale);
    if (head) {
      return (*head)(scaled, where);
    }
    return tokens.scores(scaled, where);
  }
};

}  // namespace ddx::models
