/// \file
/// Transformers that predict the next token, as they are published since Llama.

#pragma once

#include "ddx/ad/checkpointed.h"
#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/models/blocks/decoder_block.h"
#include "ddx/models/generation/token_predictor.h"
#include "ddx/models/text/decoder_options.h"
#include "ddx/nn/attention/attention_cache.h"
#include "ddx/nn/initializers/initializer.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/embedding.h"
#include "ddx/nn/layers/rms_norm.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <source_location>
#include <vector>

namespace ddx::models {

/// Vectors of tokens, blocks in which each place sees those up to itself, a normalisation, and a
/// score for each token that may come next: Llama 2 and 3, SmolLM, Mistral, Mixtral, Qwen 2 and 3,
/// Gemma 3, Phi 3. Llama 3.2 1B has 1,235,814,400 parameters, Qwen 3 0.6B 596,049,920, Gemma 3 270M
/// 268,098,176.
///
/// Shapes:  tokens [n, time] -> [n, time, vocabulary], scores of the token after each
/// Source:  H. Touvron et al., "LLaMA: open and efficient foundation language models", 2023; what
///          the families change as transformers has it.
/// Example:
///   auto model = models::load_pretrained<models::Decoder<float>>("Qwen3-0.6B");
///   const auto scores = model(Tensor<std::int32_t>{{9707, 11}});
template <FloatingScalar Scalar>
struct Decoder {
  using Options = DecoderOptions;
  /// What the blocks remember of a sequence.
  using Cache = std::vector<nn::AttentionCache<Scalar>>;
  static constexpr ContextLimit context_limit = ContextLimit::None;

  nn::Embedding<Scalar> tokens;
  std::vector<DecoderBlock<Scalar>> blocks;
  nn::RMSNorm<Scalar> norm;
  std::optional<nn::Dense<Scalar>> head;  ///< None where it is tied to the tokens.
  Options options;
  /// Whether a gradient keeps the inputs of blocks alone and computes each block once more on the
  /// way back: less memory for one more call of the blocks.
  bool recomputes_blocks = false;

  /// Throws: UsageError where an extent is below 1, `key_heads` does not divide `heads`, `heads`
  ///         does not divide `features` and there are no `head_features`, or there is no attention.
  explicit Decoder(const Options& given = {})
      : tokens{{.count = detail::checked(given).vocabulary,
                .features = given.features,
                .deviation = 0.02}},
        norm(detail::rms_norm<Scalar>(detail::norm_settings(given), given.features, {})),
        head(head_for(given)),
        options(given) {
    for (std::int64_t i = 0; i < given.blocks; ++i) {
      blocks.push_back(DecoderBlock<Scalar>{detail::block_options(given, i)});
    }
  }

  /// The longest sequence in training; longer ones are computed too.
  [[nodiscard]] std::int64_t context() const noexcept { return options.context; }
  /// How many different tokens there are.
  [[nodiscard]] std::int64_t vocabulary() const noexcept { return options.vocabulary; }
  /// Where sequences are to lie.
  [[nodiscard]] Device device() const { return tokens.weight.device(); }

  /// An empty cache with room for so many places; see nn::AttentionCache.
  [[nodiscard]] Cache cache_with_room(std::int64_t room) const {
    return Cache(blocks.size(), {.room = room});
  }

  /// Shapes:  sequence [n, time] -> [n, time, vocabulary]
  /// Throws:  UsageError where a token is not in [0, vocabulary).
  template <IndexScalar Index = std::int32_t>
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Index>& sequence,
      std::source_location where = std::source_location::current()) const {
    auto x = embedded(sequence, where);
    for (const auto& block : blocks) {
      x = recomputes_blocks ? checkpointed(result_of_block, block, x) : block(x, where);
    }
    return scores(norm(x, where), where);
  }

  /// The scores of a sequence whose beginning is in `cache`, which afterwards holds all of it; an
  /// empty cache is one before any token. What was seen is not computed again.
  ///
  /// Shapes:  continuation [n, new places] -> [n, new places, vocabulary]
  /// Throws:  UsageError as for a whole sequence.
  template <IndexScalar Index = std::int32_t>
  [[nodiscard]] Tensor<Scalar> extend(
      const Tensor<Index>& continuation, Cache& cache,
      std::source_location where = std::source_location::current()) const {
    return scores(norm(extended(continuation, cache, where), where), where);
  }

  /// As extend, but only the scores of the token after the last place, which generation reads.
  ///
  /// Shapes:  continuation [n, new places] -> [n, 1, vocabulary]
  /// Throws:  UsageError as for a whole sequence.
  template <IndexScalar Index = std::int32_t>
  [[nodiscard]] Tensor<Scalar> next_scores(
      const Tensor<Index>& continuation, Cache& cache,
      std::source_location where = std::source_location::current()) const {
    const auto x = extended(continuation, cache, where);
    return scores(norm(slice(x, {.start = {0, -1, 0}}, where), where), where);
  }

  DDX_DIFFERENTIABLE(Decoder, tokens, blocks, norm, head)
  DDX_NO_DERIVATIVE(options, recomputes_blocks)

 private:
  /// The last features of places that follow those in the cache.
  template <IndexScalar Index>
  Tensor<Scalar> extended(const Tensor<Index>& continuation, Cache& cache,
                          std::source_location where) const {
    cache.resize(blocks.size());
    auto x = embedded(continuation, where);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      x = blocks[i].extend(x, cache[i], where);
    }
    return x;
  }
  static Tensor<Scalar> result_of_block(const DecoderBlock<Scalar>& block,
                                        const Tensor<Scalar>& x) {
    return block(x);
  }
  static std::optional<nn::Dense<Scalar>> head_for(const Options& given) {
    if (given.tied_head) {
      return {};
    }
    return nn::Dense<Scalar>{{.in = given.features,
                              .out = given.vocabulary,
                              .bias = false,
                              .initializer = nn::Initializer::normal(0, 0.02)}};
  }

  template <IndexScalar Index>
  Tensor<Scalar> embedded(const Tensor<Index>& sequence, std::source_location where) const {
    const double scale = detail::token_scale(options);
    if (scale == 1) {
      return tokens(sequence, where);
    }
    return tokens(sequence, where) * static_cast<Scalar>(scale);
  }
  Tensor<Scalar> scores(const Tensor<Scalar>& x, std::source_location where) const {
    if (head) {
      return (*head)(x, where);
    }
    return tokens.scores(x, where);
  }
};

}  // namespace ddx::models
