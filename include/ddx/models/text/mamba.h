/// \file
/// A language model without attention.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/models/blocks/selective_state_space.h"
#include "ddx/models/generation/token_predictor.h"
#include "ddx/models/text/mamba_options.h"
#include "ddx/nn/initializers/initializer.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/embedding.h"
#include "ddx/nn/layers/rms_norm.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <source_location>
#include <vector>

namespace ddx::models {

/// A selective state space behind a normalisation, with a way past both.
///
/// Shapes:  x [n, time, features] -> [n, time, features]
template <FloatingScalar Scalar>
struct MambaBlock {
  nn::RMSNorm<Scalar> norm;
  SelectiveStateSpace<Scalar> mixer;

  /// Throws: UsageError as SelectiveStateSpace.
  MambaBlock(const SelectiveStateSpaceOptions& options, double epsilon)
      : norm{{.features = options.features, .epsilon = epsilon, .device = options.device}},
        mixer(options) {}

  /// Shapes:  x [n, time, features] -> [n, time, features]
  /// Throws:  UsageError where the shape does not fit.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    return x + mixer(norm(x, where), where);
  }

  /// The block on sequences whose beginnings are in a cache; see SelectiveStateSpace::extend.
  ///
  /// Shapes:  x [n, new places, features] -> [n, new places, features]
  /// Throws:  UsageError where the shapes do not fit.
  [[nodiscard]] Tensor<Scalar> extend(
      const Tensor<Scalar>& x, StateSpaceCache<Scalar>& cache,
      std::source_location where = std::source_location::current()) const {
    return x + mixer.extend(norm(x, where), cache, where);
  }

  DDX_DIFFERENTIABLE(MambaBlock, norm, mixer)
};

/// Vectors of tokens, blocks that carry what they saw in states of a fixed size, a normalisation,
/// and a score for each token that may come next. A token that continues a sequence takes the same
/// time and memory however long the sequence is. With 24 blocks of 768 features: 129,135,360
/// parameters.
///
/// Shapes:  tokens [n, time] -> [n, time, vocabulary], scores of the token after each
/// Source:  A. Gu, T. Dao, "Mamba: linear-time sequence modeling with selective state spaces",
/// 2023. Example:
///   auto model = models::load_pretrained<models::Mamba<float>>("mamba-130m-hf");
template <FloatingScalar Scalar>
struct Mamba {
  using Options = MambaOptions;
  /// What the blocks remember of a sequence.
  using Cache = std::vector<StateSpaceCache<Scalar>>;
  static constexpr ContextLimit context_limit = ContextLimit::None;

  nn::Embedding<Scalar> tokens;
  std::vector<MambaBlock<Scalar>> blocks;
  nn::RMSNorm<Scalar> norm;
  std::optional<nn::Dense<Scalar>> head;  ///< None where it is tied to the tokens.
  Options options;

  /// Throws: UsageError where an extent is below 1.
  explicit Mamba(const Options& given = {})
      : tokens{{.count = detail::checked(given).vocabulary,
                .features = given.features,
                .deviation = 0.1}},
        norm{{.features = given.features, .epsilon = given.epsilon}},
        head(head_for(given)),
        options(given) {
    for (std::int64_t i = 0; i < given.blocks; ++i) {
      blocks.push_back(
          MambaBlock<Scalar>({.features = given.features,
                              .channels = given.expansion * given.features,
                              .states = given.states,
                              .kernel = given.kernel,
                              .step_features = detail::step_features(given),
                              .bias = given.bias,
                              .kernel_bias = given.kernel_bias,
                              .activation = given.activation,
                              .key = RandomKey(0).fold_in(static_cast<std::uint64_t>(i))},
                             given.epsilon));
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

  /// Shapes:  sequence [n, time] -> [n, time, vocabulary]
  /// Throws:  UsageError where a token is not in [0, vocabulary).
  template <IndexScalar Index = std::int32_t>
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Index>& sequence,
      std::source_location where = std::source_location::current()) const {
    auto x = tokens(sequence, where);
    for (const auto& block : blocks) {
      x = block(x, where);
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

  DDX_DIFFERENTIABLE(Mamba, tokens, blocks, norm, head)
  DDX_NO_DERIVATIVE(options)

 private:
  /// The last features of places that follow those in the cache.
  template <IndexScalar Index>
  Tensor<Scalar> extended(const Tensor<Index>& continuation, Cache& cache,
                          std::source_location where) const {
    cache.resize(blocks.size());
    auto x = tokens(continuation, where);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      x = blocks[i].extend(x, cache[i], where);
    }
    return x;
  }
  static std::optional<nn::Dense<Scalar>> head_for(const Options& given) {
    if (given.tied_head) {
      return {};
    }
    return nn::Dense<Scalar>{{.in = given.features,
                              .out = given.vocabulary,
                              .bias = false,
                              .initializer = nn::Initializer::normal(0, 0.1)}};
  }

  Tensor<Scalar> scores(const Tensor<Scalar>& x, std::source_location where) const {
    if (head) {
      return (*head)(x, where);
    }
    return tokens.scores(x, where);
  }
};

}  // namespace ddx::models
