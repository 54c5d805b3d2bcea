/// \file
/// How words are pronounced.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/models/generation/answering.h"
#include "ddx/models/generation/generate.h"
#include "ddx/models/generation/token_predictor.h"
#include "ddx/models/text/grapheme_to_phoneme_options.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/embedding.h"
#include "ddx/nn/layers/recurrent/gru_cell.h"
#include "ddx/nn/layers/recurrent/hidden_state.h"
#include "ddx/nn/layers/recurrent/recurrent.h"
#include "ddx/tensor/stacking.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <limits>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::models {

/// A gated recurrent unit that reads the letters of a word, and one that writes its phonemes from
/// what the first one remembers. By default it has 834,890 parameters; published for English words
/// (the PyPI package g2p-en 2.1.0, Apache 2.0).
///
/// Shapes:  letters [n, time], target [n, steps] -> [n, steps, phonemes], scores of the phoneme
///          behind each of the target
/// Source:  K. Park, J. Kim, "g2pE", https://github.com/Kyubyong/g2p.
/// Example:
///   models::GraphemeToPhoneme<float> model;
///   models::load_weights(model, io::WeightFiles(io::read_npz("checkpoint20.npz")),
///                        name_rules(model.options));
///   const auto phonemes = models::pronunciation(model, "compiler");  // "K AH0 M P IH1 L ER0"
template <FloatingScalar Scalar>
struct GraphemeToPhoneme {
  using Options = GraphemeToPhonemeOptions;
  /// What the second unit remembers.
  using Cache = nn::HiddenState<Scalar>;
  static constexpr ContextLimit context_limit = ContextLimit::None;

  nn::Embedding<Scalar> letters;
  nn::GRU<Scalar> encoder;
  nn::Embedding<Scalar> phonemes;
  nn::GRUCell<Scalar> decoder;
  nn::Dense<Scalar> head;
  Options options;

  /// Throws: UsageError where an extent is below 1.
  explicit GraphemeToPhoneme(const Options& given = {})
      : letters({.count = detail::checked(given).letters,
                 .features = given.features,
                 .key = RandomKey(0).fold_in(0)}),
        encoder({.in = given.features, .hidden = given.hidden, .key = RandomKey(0).fold_in(1)}),
        phonemes(
            {.count = given.phonemes, .features = given.features, .key = RandomKey(0).fold_in(2)}),
        decoder({.in = given.features, .hidden = given.hidden, .key = RandomKey(0).fold_in(3)}),
        head({.in = given.hidden, .out = given.phonemes, .key = RandomKey(0).fold_in(4)}),
        options(given) {}

  /// How long what is written may be: there is no limit.
  [[nodiscard]] std::int64_t context() const noexcept {
    return std::numeric_limits<std::int64_t>::max();
  }
  /// How many different phonemes there are.
  [[nodiscard]] std::int64_t vocabulary() const noexcept { return options.phonemes; }
  /// Where tokens are to lie.
  [[nodiscard]] Device device() const { return letters.weight.device(); }

  /// What is remembered of words of equal length, of which letter_tokens is one.
  ///
  /// Shapes:  letters [n, time] -> [n, hidden]
  /// Throws:  UsageError where a letter is not in [0, letters).
  template <IndexScalar Index = std::int32_t>
  [[nodiscard]] Tensor<Scalar> encode(
      const Tensor<Index>& words,
      std::source_location where = std::source_location::current()) const {
    return encoder.last(letters(words, where), where);
  }

  /// What writing begins with after encode.
  [[nodiscard]] Cache beginning(
      const Tensor<Scalar>& encoded,
      std::source_location /*where*/ = std::source_location::current()) const {
    return {encoded};
  }

  /// Shapes:  letters [n, time], target [n, steps] -> [n, steps, phonemes]
  /// Throws:  UsageError where a letter or a phoneme is none, or there is no step.
  template <IndexScalar Index = std::int32_t>
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Index>& words, const Tensor<Index>& target,
      std::source_location where = std::source_location::current()) const {
    Cache state{encode(words, where)};
    std::vector<Tensor<Scalar>> outputs;
    for (const Tensor<Scalar>& step : unstack(phonemes(target, where), 1, where)) {
      state = decoder(step, state, where);
      outputs.push_back(state.hidden);
    }
    return head(stack(outputs, 1, where), where);
  }

  /// The scores of a target whose beginning is in `cache`, which afterwards holds all of it.
  ///
  /// Shapes:  continuation [n, new steps] -> [n, new steps, phonemes]
  /// Throws:  UsageError as for a whole target.
  template <IndexScalar Index = std::int32_t>
  [[nodiscard]] Tensor<Scalar> extend(
      const Tensor<Index>& continuation, Cache& cache,
      std::source_location where = std::source_location::current()) const {
    std::vector<Tensor<Scalar>> outputs;
    for (const Tensor<Scalar>& step : unstack(phonemes(continuation, where), 1, where)) {
      cache = decoder(step, cache, where);
      outputs.push_back(cache.hidden);
    }
    return head(stack(outputs, 1, where), where);
  }

  DDX_DIFFERENTIABLE(GraphemeToPhoneme, letters, encoder, phonemes, decoder, head)
  DDX_NO_DERIVATIVE(options)
};

/// The phonemes of a word of small letters, each the likeliest one, at most 20 of them: see
/// phoneme_text.
///
/// Throws:  UsageError where the model has other letters or phonemes than the published one.
template <FloatingScalar Scalar>
[[nodiscard]] std::string pronunciation(
    const GraphemeToPhoneme<Scalar>& model, std::string_view word,
    std::source_location where = std::source_location::current()) {
  const auto tokens = letter_tokens(word);
  const Tensor<std::int32_t> letters({1, static_cast<std::int64_t>(tokens.size())}, tokens,
                                     model.device());
  const Answering<GraphemeToPhoneme<Scalar>> answering(model, model.encode(letters, where), where);
  auto made = generate(answering, std::vector<std::int32_t>{first_phoneme},
                       {.count = 20, .greedy = true, .end_tokens = {last_phoneme}}, where);
  if (!made.empty() && made.back() == last_phoneme) {
    made.pop_back();
  }
  return phoneme_text(made);
}

}  // namespace ddx::models
