/// \file
/// A transformer that writes down what it hears.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/models/audio/whisper_options.h"
#include "ddx/models/blocks/source_attention.h"
#include "ddx/models/generation/token_predictor.h"
#include "ddx/nn/activation.h"
#include "ddx/nn/attention/attention_cache.h"
#include "ddx/nn/attention/positions.h"
#include "ddx/nn/initializers/initializer.h"
#include "ddx/nn/layers/convolution.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/embedding.h"
#include "ddx/nn/layers/frozen.h"
#include "ddx/nn/layers/layer_norm.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <source_location>
#include <utility>
#include <vector>

namespace ddx::models {

/// Attention, in the decoder attention to the source, and two dense layers, each behind a
/// normalisation and with a way past it.
///
/// Shapes:  x [n, time, features] -> [n, time, features]
template <FloatingScalar Scalar>
struct WhisperBlock {
  nn::LayerNorm<Scalar> attention_norm;
  SourceAttention<Scalar> attention;
  std::optional<nn::LayerNorm<Scalar>> source_norm;  ///< In the decoder alone.
  std::optional<SourceAttention<Scalar>> source_attention;
  nn::LayerNorm<Scalar> dense_norm;
  nn::Dense<Scalar> widen;
  nn::Dense<Scalar> narrow;

  /// Throws: UsageError where an extent is below 1.
  WhisperBlock(const WhisperOptions& options, bool is_decoder, RandomKey key)
      : attention_norm(norm(options)),
        attention(attention_options(options, is_decoder, key.fold_in(0))),
        dense_norm(norm(options)),
        widen({.in = options.features,
               .out = is_decoder ? options.decoder_hidden : options.encoder_hidden,
               .activation = options.activation,
               .initializer = nn::Initializer::normal(0, 0.02),
               .key = key.fold_in(2)}),
        narrow({.in = is_decoder ? options.decoder_hidden : options.encoder_hidden,
                .out = options.features,
                .initializer = nn::Initializer::normal(0, 0.02),
                .key = key.fold_in(3)}) {
    if (is_decoder) {
      source_norm = norm(options);
      source_attention =
          SourceAttention<Scalar>(attention_options(options, is_decoder, key.fold_in(1)));
    }
  }

  /// The block of the encoder.
  ///
  /// Shapes:  x [n, time, features] -> [n, time, features]
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    const auto seen = attention_norm(x, where);
    return after_attention(x + attention(seen, attention.keys_of(seen, where),
                                         attention.values_of(seen, where), where),
                           where);
  }

  /// The block of the decoder beside the encoder's result.
  ///
  /// Shapes:  x [n, time, features], encoded [n, places, features], bias [time, time] -> [n, time,
  ///          features]
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, const Tensor<Scalar>& encoded, const Tensor<Scalar>& bias,
      std::source_location where = std::source_location::current()) const {
    const auto seen = attention_norm(x, where);
    const auto attended = x + attention(seen, attention.keys_of(seen, where),
                                        attention.values_of(seen, where), bias, where);
    const auto asked = (*source_norm)(attended, where);
    const auto& other = *source_attention;
    return after_attention(attended + other(asked, other.keys_of(encoded, where),
                                            other.values_of(encoded, where), where),
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
    return after_attention(attended + (*source_attention)(asked, source.keys, source.values, where),
                           where);
  }

  DDX_DIFFERENTIABLE(WhisperBlock, attention_norm, attention, source_norm, source_attention,
                     dense_norm, widen, narrow)

 private:
  static nn::LayerNorm<Scalar> norm(const WhisperOptions& options) {
    return nn::LayerNorm<Scalar>{{.features = options.features, .epsilon = 1e-5}};
  }
  static SourceAttentionOptions attention_options(const WhisperOptions& options, bool is_decoder,
                                                  RandomKey key) {
    const std::int64_t heads = is_decoder ? options.decoder_heads : options.encoder_heads;
    const std::int64_t depth = options.features / heads;
    return {.features = options.features,
            .heads = heads,
            .head_features = depth,
            .bias = true,
            .scale = 1 / std::sqrt(static_cast<double>(depth)),
            .key = key};
  }
  Tensor<Scalar> after_attention(const Tensor<Scalar>& x, std::source_location where) const {
    return x + narrow(widen(dense_norm(x, where), where), where);
  }
};

/// An encoder of spectrograms and a decoder that predicts the next token of what is said. Whisper
/// tiny has 37,760,640 parameters.
///
/// Shapes:  spectrogram [n, 2 source places, bands], target [n, time] -> [n, time, vocabulary],
///          scores of the token after each of the target
/// Source:  A. Radford et al., "Robust speech recognition via large-scale weak supervision", 2022.
/// Example:
///   auto model = models::load_pretrained<models::Whisper<float>>("whisper-tiny");
///   const models::Answering answering(model, model.encode(spectrogram));
template <FloatingScalar Scalar>
struct Whisper {
  using Options = WhisperOptions;
  /// What the decoder keeps of a source, and of the sequence so far.
  struct Cache {
    std::vector<nn::AttentionCache<Scalar>> source;
    std::vector<nn::AttentionCache<Scalar>> own;
  };
  static constexpr ContextLimit context_limit = ContextLimit::Error;

  nn::Conv1D<Scalar> narrow;  ///< From bands to features.
  nn::Conv1D<Scalar> halve;   ///< Every other place.
  nn::Frozen<nn::LearnedPositions<Scalar>> source_positions;
  std::vector<WhisperBlock<Scalar>> encoder;
  nn::LayerNorm<Scalar> encoder_norm;
  nn::Embedding<Scalar> tokens;
  nn::LearnedPositions<Scalar> positions;
  std::vector<WhisperBlock<Scalar>> decoder;
  nn::LayerNorm<Scalar> decoder_norm;
  Options options;

  /// Throws: UsageError where an extent is below 1, the features are odd, or a number of heads does
  ///         not divide them.
  explicit Whisper(const Options& given = {})
      : narrow(convolution(given, detail::checked(given).bands, 1)),
        halve(convolution(given, given.features, 2)),
        source_positions(sinusoids(given)),
        encoder_norm{{.features = given.features, .epsilon = 1e-5}},
        tokens{{.count = given.vocabulary, .features = given.features, .deviation = 0.02}},
        positions{{.count = given.target_places, .features = given.features}},
        decoder_norm{{.features = given.features, .epsilon = 1e-5}},
        options(given) {
    for (std::int64_t i = 0; i < given.encoder_blocks; ++i) {
      encoder.push_back(
          WhisperBlock<Scalar>(given, false, RandomKey(0).fold_in(static_cast<std::uint64_t>(i))));
    }
    for (std::int64_t i = 0; i < given.decoder_blocks; ++i) {
      decoder.push_back(
          WhisperBlock<Scalar>(given, true, RandomKey(1).fold_in(static_cast<std::uint64_t>(i))));
    }
  }

  /// The longest sequence of tokens.
  [[nodiscard]] std::int64_t context() const noexcept { return options.target_places; }
  /// How many different tokens there are.
  [[nodiscard]] std::int64_t vocabulary() const noexcept { return options.vocabulary; }
  /// Where sequences are to lie.
  [[nodiscard]] Device device() const { return tokens.weight.device(); }

  /// The encoder's vectors of a spectrogram.
  ///
  /// Shapes:  spectrogram [n, 2 source places, bands] -> [n, source places, features]
  /// Throws:  UsageError where the shape does not fit.
  [[nodiscard]] Tensor<Scalar> encode(
      const Tensor<Scalar>& spectrogram,
      std::source_location where = std::source_location::current()) const {
    require_frames(spectrogram.shape(), where);
    auto x = source_positions(halve(narrow(spectrogram, where), where), where);
    for (const auto& block : encoder) {
      x = block(x, where);
    }
    return encoder_norm(x, where);
  }

  /// Shapes:  spectrogram [n, 2 source places, bands], target [n, time] -> [n, time, vocabulary]
  /// Throws:  UsageError where a shape does not fit, a token is not in [0, vocabulary), or there
  /// are
  ///          more of them than target places.
  template <IndexScalar Index = std::int32_t>
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& spectrogram, const Tensor<Index>& target,
      std::source_location where = std::source_location::current()) const {
    const auto encoded = encode(spectrogram, where);
    const Tensor<Scalar> bias = causal(target.shape(), 0);
    auto x = positions(tokens(target, where), where);
    for (const auto& block : decoder) {
      x = block(x, encoded, bias, where);
    }
    return scores(x, where);
  }

  /// What continues sequences beside what encode returned.
  ///
  /// Shapes:  encoded [n, source places, features]
  [[nodiscard]] Cache beginning(
      const Tensor<Scalar>& encoded,
      std::source_location where = std::source_location::current()) const {
    Cache cache;
    cache.own.resize(decoder.size());
    for (const auto& block : decoder) {
      cache.source.emplace_back().append(block.source_attention->keys_of(encoded, where),
                                         block.source_attention->values_of(encoded, where), where);
    }
    return cache;
  }

  /// The scores of a target whose beginning is in `cache`, which afterwards holds all of it.
  ///
  /// Shapes:  continuation [n, new places] -> [n, new places, vocabulary]
  /// Throws:  UsageError as for a whole sequence.
  template <IndexScalar Index = std::int32_t>
  [[nodiscard]] Tensor<Scalar> extend(
      const Tensor<Index>& continuation, Cache& cache,
      std::source_location where = std::source_location::current()) const {
    const std::int64_t before = cache.own.front().places();
    const Tensor<Scalar> bias = causal(continuation.shape(), before);
    auto x = positions(tokens(continuation, where), before, where);
    for (std::size_t i = 0; i < decoder.size(); ++i) {
      x = decoder[i].extend(x, cache.own[i], cache.source[i], bias, where);
    }
    return scores(x, where);
  }

  DDX_DIFFERENTIABLE(Whisper, narrow, halve, source_positions, encoder, encoder_norm, tokens,
                     positions, decoder, decoder_norm)
  DDX_NO_DERIVATIVE(options)

 private:
  static typename nn::Conv1D<Scalar>::Options convolution(const Options& given, std::int64_t in,
                                                          std::int64_t stride) {
    return {.in = in,
            .out = given.features,
            .kernel = {3},
            .strides = {stride},
            .padding = Padding::amounts(1, 1),
            .activation = nn::Activation::GELU,
            .key = RandomKey(2).fold_in(static_cast<std::uint64_t>(stride))};
  }
  static nn::LearnedPositions<Scalar> sinusoids(const Options& given) {
    nn::LearnedPositions<Scalar> result({.count = given.source_places, .features = given.features});
    result.weight = cast<Scalar>(
        Tensor<double>({given.source_places, given.features}, detail::source_positions(given)));
    return result;
  }
  void require_frames(const Shape& spectrogram, std::source_location where) const {
    if (spectrogram.rank() != 3 || spectrogram[1] != 2 * options.source_places) {
      throw UsageError("Whisper",
                       "the spectrogram is " + to_string(spectrogram) + ", expected [n, " +
                           std::to_string(2 * options.source_places) + ", " +
                           std::to_string(options.bands) + "]",
                       where);
    }
  }
  [[nodiscard]] Tensor<Scalar> causal(const Shape& target, std::int64_t before) const {
    const std::int64_t time = target.rank() < 2 ? 0 : target[1];
    return cast<Scalar>(Tensor<double>({time, before + time},
                                       detail::causal_scores(time, before + time), device()));
  }
  Tensor<Scalar> scores(const Tensor<Scalar>& x, std::source_location where) const {
    return tokens.scores(decoder_norm(x, where), where);
  }
};

}  // namespace ddx::models
