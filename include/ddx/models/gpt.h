/// \file
/// A transformer that predicts the next token.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/models/generation/token_predictor.h"
#include "ddx/nn/attention/attention_cache.h"
#include "ddx/nn/attention/positions.h"
#include "ddx/nn/attention/transformer_block.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/layers/dense.h"
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

/// The settings of GPT.
struct GPTOptions {
  std::int64_t vocabulary = 256;  ///< How many different tokens there are.
  std::int64_t context = 128;     ///< The longest sequence.
  std::int64_t blocks = 4;
  std::int64_t features = 128;
  std::int64_t heads = 4;
  double dropout = 0;
};

/// Vectors of tokens and places, transformer blocks in which each place sees those up to itself, a
/// normalisation, and a score for each token that may come next.
///
/// Shapes:  tokens [n, time] -> [n, time, vocabulary], scores of the token after each
/// Source:  A. Radford et al., "Language models are unsupervised multitask learners" (2019),
///          without the last layer's sharing of the tokens' vectors.
template <FloatingScalar Scalar>
struct GPT {
  using Options = GPTOptions;
  /// What the blocks remember of a sequence.
  using Cache = std::vector<nn::AttentionCache<Scalar>>;
  static constexpr ContextLimit context_limit = ContextLimit::Restart;

  nn::Embedding<Scalar> tokens;
  nn::LearnedPositions<Scalar> positions;
  nn::Dropout<Scalar> dropout;
  std::vector<nn::TransformerBlock<Scalar>> blocks;
  nn::LayerNorm<Scalar> norm;
  nn::Dense<Scalar> head;

  /// Throws: UsageError where an extent is below 1, `heads` does not divide `features`, or the
  ///         dropout is not in [0, 1).
  explicit GPT(const Options& options = {})
      : tokens{{.count = options.vocabulary, .features = options.features, .deviation = 0.02}},
        positions{{.count = options.context, .features = options.features}},
        dropout{{.rate = options.dropout}},
        norm{{.features = options.features}},
        head{{.in = options.features, .out = options.vocabulary, .bias = false}} {
    nn::detail::require_positive("GPT", "blocks", options.blocks);
    for (std::int64_t i = 0; i < options.blocks; ++i) {
      blocks.push_back(nn::TransformerBlock<Scalar>{{.features = options.features,
                                                     .heads = options.heads,
                                                     .causal = true,
                                                     .dropout = options.dropout}});
    }
  }

  /// The longest sequence.
  [[nodiscard]] std::int64_t context() const { return positions.weight.shape()[0]; }
  /// How many different tokens there are.
  [[nodiscard]] std::int64_t vocabulary() const { return tokens.count(); }
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
    return head(norm(x, where), where);
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
    return head(norm(extended(continuation, cache, where), where), where);
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
    return head(norm(slice(x, {.start = {0, -1, 0}}, where), where), where);
  }

  DDX_DIFFERENTIABLE(GPT, tokens, positions, dropout, blocks, norm, head)

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
};

}  // namespace ddx::models
