/// \file
/// Continues a sequence with a model, several tokens at a time, of which a smaller model makes a
/// draft.

#pragma once

#include "ddx/models/generation/token_predictor.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <utility>
#include <vector>

namespace ddx::models {

/// A TokenPredictor whose cache can lose its last places: one nn::AttentionCache for each block.
template <class Model>
concept RevisablePredictor =
    TokenPredictor<Model> && Model::context_limit != ContextLimit::Restart &&
    requires(const Model& model, typename Model::Cache& cache, std::int64_t places) {
      { model.cache_with_room(places) } -> std::same_as<typename Model::Cache>;
      cache.front().filled = places;
    };

/// How many tokens a draft has, and when the sequence ends.
struct SpeculativeOptions {
  std::int64_t count = 100;                   ///< How many tokens the sequence gets at most.
  std::int64_t proposals = 4;                 ///< How many tokens the draft proposes at a time.
  std::vector<std::int32_t> end_tokens = {};  ///< The sequence ends with the first of these.
};

/// The tokens that `generate_speculatively` took.
struct SpeculativeTokens {
  std::vector<std::int32_t> tokens;  ///< Behind the beginning, with the end token where one came.
  std::int64_t steps = 0;            ///< How often the model was called.
  std::int64_t proposed = 0;         ///< How many tokens the draft proposed.
  std::int64_t accepted = 0;         ///< How many of them the model took.
};

namespace detail {

/// A sequence that grows by the proposals that a model accepts.
class SpeculativeSequence {
 public:
  /// What a model is asked for: its vocabulary, and how many places it computes; -1: any number.
  struct Facts {
    std::int64_t vocabulary = 0;
    std::int64_t context = -1;
  };

  /// The options are borrowed.
  ///
  /// Throws:  UsageError as generate_speculatively.
  SpeculativeSequence(std::span<const std::int32_t> beginning, const SpeculativeOptions& options,
                      const Facts& model, const Facts& draft, std::source_location where);

  [[nodiscard]] bool ended() const noexcept { return ended_; }
  /// How many places the sequence has with its beginning.
  [[nodiscard]] std::int64_t places() const noexcept { return std::ssize(tokens_); }
  /// How many places it has at most.
  [[nodiscard]] std::int64_t room() const noexcept;
  /// How many tokens are to be proposed next: as many as may come in front of the last one.
  [[nodiscard]] std::int64_t wanted() const noexcept;

  /// The tokens from a place on, with those that are proposed.
  ///
  /// Shapes:  [1, places]
  [[nodiscard]] Tensor<std::int32_t> from(std::int64_t place, Device device) const;

  /// Proposes the token with the largest score.
  ///
  /// Throws:  UsageError where there is a NaN.
  void propose(std::span<const double> scores);

  /// Takes the proposals as far as they have the largest score, and the token behind them that has
  /// it.
  ///
  /// Shapes:  scores [proposals + 1, vocabulary]
  /// Throws:  UsageError where there is a NaN.
  void accept(std::span<const double> scores);

  /// What was taken, in the place of which nothing is left.
  [[nodiscard]] SpeculativeTokens taken() && noexcept { return std::move(made_); }

 private:
  void check(std::span<const std::int32_t> beginning, const Facts& model, const Facts& draft) const;
  void append(std::int32_t token);

  const SpeculativeOptions& options_;
  std::size_t vocabulary_;
  std::source_location where_;
  std::vector<std::int32_t> tokens_;  ///< With the beginning.
  std::vector<std::int32_t> proposals_;
  SpeculativeTokens made_;
  bool ended_ = false;
};

/// A model beside the places that it has seen.
template <RevisablePredictor Model>
class RevisableSequence {
 public:
  RevisableSequence(const Model& model, std::int64_t room)
      : model_(model), cache_(model.cache_with_room(room)) {}

  [[nodiscard]] static SpeculativeSequence::Facts facts(const Model& model) {
    return {.vocabulary = model.vocabulary(),
            .context = Model::context_limit == ContextLimit::Error ? model.context() : -1};
  }

  /// The scores behind the last `count` places of a sequence, of which the model computes those
  /// that it has not seen.
  std::vector<double> scores(const SpeculativeSequence& sequence, std::int64_t count,
                             std::source_location where) {
    const auto fresh = sequence.from(seen_, model_.device());
    seen_ += fresh.shape()[1];
    const auto all = model_.extend(fresh, cache_, where);
    const auto last = slice(all, {.start = {0, -count, 0}}, where);
    const auto elements = last.elements();
    return {elements.begin(), elements.end()};
  }

  /// Forgets the places from `places` on.
  void keep(std::int64_t places) {
    seen_ = std::min(seen_, places);
    for (auto& block : cache_) {
      block.filled = seen_;
    }
  }

 private:
  const Model& model_;
  typename Model::Cache cache_;
  std::int64_t seen_ = 0;
};

}  // namespace detail

/// Continues a sequence by the likeliest tokens of a model, as `generate` with `greedy`, in fewer
/// calls of the model: a draft, a smaller model of the same tokens, proposes some, and the model
/// scores all of them in one call, which takes about the time of one token where reading the
/// weights takes most of it. Proposals are taken up to the first that is not the likeliest token,
/// in whose place that one is taken. So the tokens are those of the model whatever the draft is,
/// unless two scores are so near that they are rounded to another order where several places are
/// computed together.
///
/// Throws:  UsageError where the beginning is empty or has a token that is not in [0, vocabulary),
///          the vocabularies differ, an option is out of its range, or the sequence with `count`
///          tokens more does not fit in the context of a model that has one; where a score is NaN.
/// Cost:    (tokens / (1 + accepted proposals of a call)) calls of the model, and as many calls of
///          the draft as it proposes tokens. On a lazy device a graph is compiled for each number
///          of places that are new at a time, up to `proposals` + 1.
/// Source:  Y. Leviathan, M. Kalman, Y. Matias, "Fast inference from transformers via speculative
///          decoding", ICML 2023.
/// Example:
///   const auto made = models::generate_speculatively(model, draft, beginning, {.proposals = 5});
template <RevisablePredictor Model, RevisablePredictor Draft>
[[nodiscard]] SpeculativeTokens generate_speculatively(
    const Model& model, const Draft& draft, std::span<const std::int32_t> beginning,
    const SpeculativeOptions& options = {},
    std::source_location where = std::source_location::current()) {
  using Scored = detail::RevisableSequence<Model>;
  using Drafted = detail::RevisableSequence<Draft>;
  detail::SpeculativeSequence sequence(beginning, options, Scored::facts(model),
                                       Drafted::facts(draft), where);
  Scored scored(model, sequence.room());
  Drafted drafted(draft, sequence.room());
  while (!sequence.ended()) {
    const std::int64_t wanted = sequence.wanted();
    for (std::int64_t i = 0; i < wanted; ++i) {
      sequence.propose(drafted.scores(sequence, 1, where));
    }
    sequence.accept(scored.scores(sequence, wanted + 1, where));
    // What was taken last, neither has seen.
    scored.keep(sequence.places() - 1);
    drafted.keep(sequence.places() - 1);
  }
  return std::move(sequence).taken();
}

}  // namespace ddx::models
