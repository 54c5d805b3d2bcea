/// \file
/// Continues sequences with a model.

#pragma once

#include "ddx/core/device.h"
#include "ddx/models/generation/generate_options.h"
#include "ddx/models/generation/token_predictor.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

namespace ddx::models {

/// The tokens that `generate` drew.
struct GeneratedSequences {
  /// Behind each beginning, up to the end token where one came, and with it.
  std::vector<std::vector<std::int32_t>> tokens;
  double seconds = 0;  ///< From the first score to the last token.

  /// How many tokens there are together.
  [[nodiscard]] std::int64_t count() const noexcept;
  /// The tokens of all sequences by the time that they took; 0 where there are none.
  [[nodiscard]] double tokens_per_second() const noexcept;
};

namespace detail {

/// What sequences depend on of a model.
struct PredictorFacts {
  std::int64_t vocabulary = 0;
  std::int64_t context = 0;
  ContextLimit limit = ContextLimit::None;
};

/// What a model is to be given next.
struct Continuation {
  Tensor<std::int32_t> tokens;  ///< [n, new places]
  bool begins = false;          ///< Whether they follow an empty cache.
};

/// Sequences that grow by a token at a time. Those whose beginning is longer than the shortest one
/// take the tokens of their beginning as long as there are some, those that ended take any.
class GrowingSequences {
 public:
  /// The options are borrowed.
  ///
  /// Throws:  UsageError as generate.
  GrowingSequences(std::span<const std::vector<std::int32_t>> beginnings,
                   const GenerateOptions& options, const PredictorFacts& facts,
                   std::source_location where);

  /// Whether none of them is to get a token.
  [[nodiscard]] bool ended() const noexcept;

  /// The tokens that the model has not seen yet.
  [[nodiscard]] Continuation continuation(Device device);

  /// How many places a cache is to have room for at first: all that may come, of those far behind
  /// the beginning none.
  [[nodiscard]] std::int64_t room() const noexcept;

  /// Draws the tokens behind them.
  ///
  /// Shapes:  scores [n, vocabulary], those behind the last place
  /// Throws:  UsageError where they are not as many, or a row has a NaN or no finite score.
  void grow(std::span<const double> scores);

  /// What was drawn, in the place of which nothing is left.
  [[nodiscard]] std::vector<std::vector<std::int32_t>> taken() && noexcept {
    return std::move(drawn_);
  }

 private:
  void check_options() const;
  void check_beginning(std::size_t sequence, std::span<const std::int32_t> tokens) const;
  /// Whether the sequence gets a token that is drawn behind its first `known_` ones.
  [[nodiscard]] bool draws(std::size_t sequence) const;
  [[nodiscard]] std::vector<std::int32_t> drawn_tokens(std::span<const double> scores) const;
  void append(std::size_t sequence, std::int32_t token);

  const GenerateOptions& options_;
  PredictorFacts facts_;
  std::source_location where_;
  std::vector<std::vector<std::int32_t>> tokens_;  ///< With the beginnings.
  std::vector<std::vector<std::int32_t>> drawn_;
  std::vector<bool> ended_;
  bool stopped_ = false;     ///< By the caller's function.
  std::uint64_t step_ = 0;   ///< How many tokens were drawn for each sequence.
  std::int64_t known_ = 0;   ///< How many tokens all sequences have.
  std::int64_t seen_ = 0;    ///< How many of them the model has seen.
  std::int64_t places_ = 0;  ///< How many are in its cache.
};

/// An empty cache, with room for later tokens if the model has `cache_with_room`: new places are
/// then written in place, and a lazy device compiles one graph for all steps after the beginning.
template <TokenPredictor Model>
[[nodiscard]] typename Model::Cache empty_cache(const Model& model, std::int64_t room) {
  if constexpr (requires { model.cache_with_room(room); }) {
    return model.cache_with_room(room);
  } else {
    return typename Model::Cache{};
  }
}

/// The scores of the token after the last new place. A model with `next_scores` computes no others.
///
/// Shapes:  tokens [n, new places] -> [n, 1, vocabulary]
template <TokenPredictor Model>
[[nodiscard]] auto next_scores(const Model& model, const Tensor<std::int32_t>& tokens,
                               typename Model::Cache& cache, std::source_location where) {
  if constexpr (requires { model.next_scores(tokens, cache, where); }) {
    return model.next_scores(tokens, cache, where);
  } else {
    return slice(model.extend(tokens, cache, where), {.start = {0, -1, 0}}, where);
  }
}

}  // namespace detail

/// Continues sequences: repeatedly draws the next token of each by the model's scores. Sequences
/// end one by one, with an end token or after `count` tokens; the model computes all until the last
/// one ends. Beginnings may differ in length: longer ones are computed place by place from where
/// the shortest one ends, so beginnings of similar length belong together. Without a draw, each
/// sequence gets the tokens that it gets alone, unless the model restarts; the first one always
/// does.
///
/// On a lazy device one compiled graph computes all tokens behind the beginnings of equal length,
/// and another one whenever the room of the cache doubles, first behind 1024 tokens.
///
/// Where the model restarts once there are more tokens than its context, it does so with the last
/// half of the context.
///
/// Throws:  UsageError where there is no beginning, one is empty or has a token that is not in [0,
///          vocabulary), an option is out of its range, or a sequence with `count` tokens more does
///          not fit in the context of a model that does not restart; where scores have a NaN.
/// Example:
///   const std::vector<std::vector<std::int32_t>> beginnings{{1, 5}, {1, 7, 3}};
///   const auto made = models::generate(model, beginnings, {.count = 20, .top_p = 0.9});
template <TokenPredictor Model>
[[nodiscard]] GeneratedSequences generate(
    const Model& model, std::span<const std::vector<std::int32_t>> beginnings,
    const GenerateOptions& options = {},
    std::source_location where = std::source_location::current()) {
  const auto start = std::chrono::steady_clock::now();
  detail::GrowingSequences sequences(
      beginnings, options,
      {.vocabulary = model.vocabulary(), .context = model.context(), .limit = Model::context_limit},
      where);
  typename Model::Cache cache{};
  while (!sequences.ended()) {
    const auto next = sequences.continuation(model.device());
    if (next.begins) {
      cache = detail::empty_cache(model, sequences.room());
    }
    const auto last = detail::next_scores(model, next.tokens, cache, where);
    const auto elements = last.elements();
    sequences.grow(std::vector<double>(elements.begin(), elements.end()));
  }
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  return {.tokens = std::move(sequences).taken(), .seconds = time.count()};
}

/// As above, one sequence.
///
/// Throws:  UsageError as above.
/// Example:
///   const auto tokens = models::generate(model, beginning, {.greedy = true, .end_tokens = {2}});
template <TokenPredictor Model>
[[nodiscard]] std::vector<std::int32_t> generate(
    const Model& model, std::span<const std::int32_t> beginning,
    const GenerateOptions& options = {},
    std::source_location where = std::source_location::current()) {
  const std::vector<std::vector<std::int32_t>> beginnings{{beginning.begin(), beginning.end()}};
  return std::move(generate(model, beginnings, options, where).tokens.front());
}

}  // namespace ddx::models
