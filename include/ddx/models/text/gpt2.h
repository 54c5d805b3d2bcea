/// \file
/// GPT-2 as it is published.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/models/generation/token_predictor.h"
#include "ddx/models/text/gpt2_options.h"
#include "ddx/nn/attention/attention_cache.h"
#include "ddx/nn/attention/positions.h"
#include "ddx/nn/attention/transformer_block.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/layers/dropout.h"
#include "ddx/nn/layers/embedding.h"
#include "ddx/nn/layers/layer_norm.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <vector>

namespace ddx::models {

/// Vectors of tokens and places, blocks in which each place sees those up to itself, a
/// normalisation, and scores that are products with the vectors of the tokens. 124,439,808
/// parameters by default.
///
/// Shapes:  tokens [n, time] -> [n, time, vocabulary], scores of the token after each
/// Source:  A. Radford et al., "Language models are unsupervised multitask learners", 2019.
/// Example:
///   auto model = models::load_pretrained<models::GPT2<float>>("gpt2");
template <FloatingScalar Scalar>
struct GPT2 {
  using Options = GPT2Options;
  /// What the blocks remember of a sequence.
  using Cache = std::vector<nn::AttentionCache<Scalar>>;
  static constexpr ContextLimit context_limit = ContextLimit::Error;

  nn::Embedding<Scalar> tokens;
  nn::LearnedPositions<Scalar> positions;
  nn::Dropout<Scalar> dropout;
  std::vector<nn::TransformerBlock<Scalar>> blocks;
  nn::LayerNorm<Scalar> norm;
  Options options;

  /// Throws: UsageError where an extent is below 1, `heads` does not divide `features`, or a
  ///         dropout is not in [0, 1).
  explicit GPT2(const Options& given = {})
      : tokens{{.count = given.vocabulary, .features = given.features, .deviation = 0.02}},
        positions{{.count = given.context, .features = given.features}},
        dropout{{.rate = given.token_dropout}},
        norm{{.features = given.features, .epsilon = given.epsilon}},
        options(given) {
    nn::detail::require_positive("GPT2", "blocks", given.blocks);
    for (std::int64_t i = 0; i < given.blocks; ++i) {
      blocks.push_back(nn::TransformerBlock<Scalar>{
          {.features = given.features,
           .heads = given.heads,
           .hidden = given.hidden,
           .activation = given.activation,
           .causal = true,
           .dropout = given.dropout,
           .attention_dropout = given.attention_dropout,
           .epsilon = given.epsilon,
           .key = RandomKey(0).fold_in(static_cast<std::uint64_t>(i))}});
    }
  }

  /// The longest sequence.
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
  /// Throws:  UsageError where a token is not in [0, vocabulary), or the sequence is longer than
  ///          the context.
  template <IndexScalar Index = std::int32_t>
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Index>& sequence,
      std::source_location where = std::source_location::current()) const {
    auto x = dropout(positions(tokens(sequence, where), where));
    for (const auto& block : blocks) {
      x = block(x, where);
    }
    return scores(x, where);
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
    return scores(extended(continuation, cache, where), where);
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
    return scores(slice(x, {.start = {0, -1, 0}}, where), where);
  }

  DDX_DIFFERENTIABLE(GPT2, tokens, positions, dropout, blocks, norm)
  DDX_NO_DERIVATIVE(options)

 private:
  /// The last features of places that follow those in the cache.
  template <IndexScalar Index>
  Tensor<Scalar> extended(const Tensor<Index>& continuation, Cache& cache,
                          std::source_location where) const {
    cache.resize(blocks.size());
    auto x = positions(tokens(continuation, where), cache.front().places(), where);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      x = blocks[i].extend(x, cache[i], where);
    }
    return x;
  }
  Tensor<Scalar> scores(const Tensor<Scalar>& x, std::source_location where) const {
    return tokens.scores(norm(x, where), where);
  }
};

}  // namespace ddx::models
