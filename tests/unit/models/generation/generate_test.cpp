// Continuations beside those of transformers: see tests/support/recorded_text_model.h. That of GPT
// is in tests/unit/models/gpt_test.cpp.

#include "ddx/models/generation/generate.h"

#include "ddx/backend/lazy.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/models/generation/generate_options.h"
#include "ddx/models/generation/token_predictor.h"
#include "ddx/models/gpt.h"
#include "ddx/models/pretrained/load_pretrained.h"
#include "ddx/models/text/bert.h"
#include "ddx/models/text/decoder.h"
#include "ddx/models/text/gpt2.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_text_model.h"
#include "tests/support/thrown.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <source_location>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::models {
namespace generate_test {

using ddx::testing::thrown;
using Tokens = std::vector<std::int32_t>;
using Sequences = std::vector<Tokens>;

/// The likeliest token behind t is t + 1, behind the last one 0.
struct Counting {
  struct Cache {
    std::int64_t places = 0;
  };
  static constexpr ContextLimit context_limit = ContextLimit::Error;
  double score = 1;                       ///< Of the likeliest token; the others have 0.
  std::vector<std::int64_t>* given = {};  ///< How many places were new in each call.

  [[nodiscard]] std::int64_t vocabulary() const { return 6; }
  [[nodiscard]] std::int64_t context() const { return 12; }
  [[nodiscard]] Device device() const { return Device::naive(); }
  [[nodiscard]] Tensor<float> extend(const Tensor<std::int32_t>& tokens, Cache& cache,
                                     std::source_location /*where*/) const {
    cache.places += tokens.shape()[1];
    EXPECT_LE(cache.places, context());
    if (given != nullptr) {
      given->push_back(tokens.shape()[1]);
    }
    std::vector<float> scores(tokens.count() * 6);
    for (std::size_t i = 0; i < tokens.count(); ++i) {
      const auto next = static_cast<std::size_t>((tokens.elements()[i] + 1) % 6);
      scores[i * 6 + next] = static_cast<float>(score);
    }
    return {{tokens.shape()[0], tokens.shape()[1], 6}, std::span<const float>(scores)};
  }
};

/// As Counting, but the caller has to know the vocabulary.
struct WithoutVocabulary {
  using Cache = Counting::Cache;
  static constexpr ContextLimit context_limit = ContextLimit::Error;

  [[nodiscard]] std::int64_t context() const { return 12; }
  [[nodiscard]] Device device() const { return Device::naive(); }
  [[nodiscard]] Tensor<float> extend(const Tensor<std::int32_t>& tokens, Cache& cache,
                                     std::source_location where) const {
    return Counting().extend(tokens, cache, where);
  }
};

static_assert(TokenPredictor<Counting>);
static_assert(!TokenPredictor<WithoutVocabulary>);
static_assert(TokenPredictor<GPT<float>> && TokenPredictor<GPT2<double>>);
static_assert(TokenPredictor<Decoder<float>> && TokenPredictor<Decoder<BFloat16>>);
static_assert(!TokenPredictor<Bert<float>>);

template <class Model>
Model recorded_model(const std::string& name, Device device) {
  const ddx::testing::RecordedFolder<Model> folder(name);
  return load_pretrained<Model>(folder.path(), {.device = device});
}

class GenerateOn : public ::testing::TestWithParam<const char*> {
 protected:
  [[nodiscard]] static Device device() {
    const std::string name = GetParam();
    return name == "naive" ? Device::naive() : name == "lazy" ? Device::lazy() : Device::cpu();
  }
};

template <class Model>
void expect_recorded_tokens(const std::string& name, Device device) {
  const Tokens beginning(ddx::testing::recorded_tokens.begin(),
                         ddx::testing::recorded_tokens.begin() + 4);
  const auto model = recorded_model<Model>(name, device);
  EXPECT_EQ(generate(model, beginning, {.count = 16, .greedy = true}),
            ddx::testing::recorded_text_model(name).at("tokens").get<Tokens>())
      << name;
}

TEST_P(GenerateOn, GreedyTokensAreThoseOfTransformers) {
  for (const char* const name : {"llama", "mistral", "qwen3", "gemma3_mixed"}) {
    expect_recorded_tokens<Decoder<double>>(name, device());
  }
  expect_recorded_tokens<GPT2<double>>("gpt2", device());
}

TEST_P(GenerateOn, SequencesAreThoseThatComeAlone) {
  const auto model = recorded_model<Decoder<double>>("qwen3", device());
  const GenerateOptions options{
      .count = 9, .repetition_penalty = 1.1, .greedy = true, .end_tokens = {11, 40}};
  const Sequences beginnings{{5, 9, 13, 2}, {4, 4}, {60, 33, 7, 1, 4, 4, 8}, {42}};
  const auto together = generate(model, beginnings, options);
  ASSERT_EQ(together.tokens.size(), 4U);
  for (std::size_t i = 0; i < beginnings.size(); ++i) {
    EXPECT_EQ(together.tokens[i], generate(model, beginnings[i], options)) << i;
  }
}

TEST_P(GenerateOn, EqualKeysGiveEqualTokensOnEveryDevice) {
  const GenerateOptions options{.count = 12,
                                .temperature = 2,
                                .top_k = 20,
                                .top_p = 0.95,
                                .min_p = 0.01,
                                .key = RandomKey(3)};
  const Sequences beginnings{{5, 9}, {5, 9}, {1, 2, 3}};
  const auto made =
      generate(recorded_model<GPT2<double>>("gpt2", device()), beginnings, options).tokens;
  const auto reference = recorded_model<GPT2<double>>("gpt2", Device::naive());
  EXPECT_EQ(made, generate(reference, beginnings, options).tokens);
  EXPECT_EQ(made[0], generate(reference, beginnings[0], options));
  EXPECT_NE(made[0], made[1]);  // Sequences with equal beginnings draw numbers of their own.
  GenerateOptions others = options;
  others.key = RandomKey(4);
  EXPECT_NE(made, generate(reference, beginnings, others).tokens);
}

/// How many graphs are compiled for a beginning of four tokens and `count` ones behind it.
template <class Model>
std::uint64_t compiled_graphs(const Model& model, std::int32_t first, std::int64_t count) {
  const std::uint64_t before = backend::lazy_statistics().compiled;
  const auto made = generate(model, Tokens{first, 9, 13, 2}, {.count = count, .greedy = true});
  EXPECT_EQ(made.size(), static_cast<std::size_t>(count));
  return backend::lazy_statistics().compiled - before;
}

template <class Model>
void expect_one_compiled_step(const Model& model) {
  // Of the beginning, and of what is behind it, with a room that no other test has.
  EXPECT_EQ(compiled_graphs(model, 5, 17), 2U);
  EXPECT_EQ(compiled_graphs(model, 6, 17), 0U);
}

TEST(GenerateSequences, OneGraphIsCompiledForAllTokensOnALazyDevice) {
  const Device lazy = Device::lazy();
  expect_one_compiled_step(recorded_model<Decoder<double>>("llama", lazy));
  expect_one_compiled_step(recorded_model<Decoder<double>>("gemma3_mixed", lazy));
  expect_one_compiled_step(recorded_model<GPT2<double>>("gpt2", lazy));
}

TEST(GenerateSequences, RoomIsForWhatComesOfAContext) {
  const auto room = [](std::size_t beginning, const GenerateOptions& options, ContextLimit limit) {
    return detail::GrowingSequences(Sequences{Tokens(beginning), {0}}, options,
                                    {.vocabulary = 6, .context = 12, .limit = limit}, {})
        .room();
  };
  EXPECT_EQ(room(5, {.count = 4}, ContextLimit::Error), 9);
  EXPECT_EQ(room(5, {.count = 8}, ContextLimit::Error), 12);
  EXPECT_EQ(room(30, {.count = 8}, ContextLimit::Restart), 12);
  EXPECT_EQ(room(5, {.count = 1000}, ContextLimit::None), 1005);
  EXPECT_EQ(room(5, {.count = 1000000}, ContextLimit::None), 1029);
}

INSTANTIATE_TEST_SUITE_P(Devices, GenerateOn, ::testing::Values("naive", "cpu", "lazy"),
                         [](const auto& named) { return std::string(named.param); });

TEST(GenerateSequences, EachEndsWithAnEndTokenOfItsOwn) {
  const Sequences beginnings{{0}, {3, 4}, {1, 5, 2}};
  const auto made =
      generate(Counting(), beginnings, {.count = 5, .greedy = true, .end_tokens = {5, 2}});
  EXPECT_EQ(made.tokens, (Sequences{{1, 2}, {5}, {3, 4, 5}}));
  EXPECT_EQ(made.count(), 6);
  EXPECT_GT(made.seconds, 0);
  EXPECT_DOUBLE_EQ(made.tokens_per_second(), 6 / made.seconds);
  EXPECT_EQ(GeneratedSequences().tokens_per_second(), 0);
}

TEST(GenerateSequences, TheModelSeesEachPlaceOnce) {
  std::vector<std::int64_t> given;
  const Counting model{.given = &given};
  EXPECT_EQ(generate(model, Tokens{0, 0, 0, 3}, {.count = 4, .greedy = true}),
            (Tokens{4, 5, 0, 1}));
  EXPECT_EQ(given, (std::vector<std::int64_t>{4, 1, 1, 1}));
  given.clear();
  // The first sequence ends behind its second place, the second one takes three tokens that it has.
  EXPECT_EQ(
      generate(model, Sequences{{2, 2}, {0, 0, 0, 0, 1}}, {.count = 1, .greedy = true}).tokens,
      (Sequences{{3}, {2}}));
  EXPECT_EQ(given, (std::vector<std::int64_t>{2, 1, 1, 1}));
  given.clear();
  EXPECT_TRUE(generate(model, Tokens{1}, {.count = 0}).empty());
  EXPECT_TRUE(given.empty());
}

TEST(GenerateSequences, TheFunctionOfTheCallerGetsEachTokenAndEndsAll) {
  std::vector<std::pair<std::size_t, std::int32_t>> seen;
  const GenerateOptions options{.count = 5, .greedy = true, .on_token = [&](const auto& made) {
                                  seen.emplace_back(made.sequence, made.token);
                                  return made.token != 5;
                                }};
  const auto made = generate(Counting(), Sequences{{0}, {3}, {2}}, options);
  EXPECT_EQ(made.tokens, (Sequences{{1, 2}, {4, 5}, {3}}));
  EXPECT_EQ(seen, (std::vector<std::pair<std::size_t, std::int32_t>>{
                      {0, 1}, {1, 4}, {2, 3}, {0, 2}, {1, 5}}));
}

// Of equal scores all tokens come about equally often: 2 sequences of 10 tokens miss none of the 6
// with a probability above 0.8, and one is missing in each of 5 keys with one below 0.0003.
TEST(GenerateSequences, EachTokenIsDrawnByANumberOfItsOwn) {
  std::size_t most = 0;
  for (std::uint64_t key = 0; key < 5; ++key) {
    const auto made = generate(Counting{.score = 0}, Sequences{{0, 0}, {0, 0}},
                               {.count = 10, .key = RandomKey(key)});
    std::set<std::int32_t> different(made.tokens[0].begin(), made.tokens[0].end());
    different.insert(made.tokens[1].begin(), made.tokens[1].end());
    most = std::max(most, different.size());
  }
  EXPECT_EQ(most, 6U);
}

TEST(GenerateSequences, FillTheContextAndNoMore) {
  // The model does not see the last of the tokens.
  EXPECT_EQ(generate(Counting(), Tokens{0, 1, 2}, {.count = 10, .greedy = true}),
            (Tokens{3, 4, 5, 0, 1, 2, 3, 4, 5, 0}));
  EXPECT_EQ(thrown<UsageError>(
                [] { (void)generate(Counting(), Sequences{{0}, {0, 1, 2}}, {.count = 11}); }),
            "generate: the beginning of sequence 1 has 3 tokens; with 11 more it does not fit in "
            "the context of 12 (here)");
  EXPECT_THROW(
      (void)generate(Counting(), Tokens{0}, {.count = std::numeric_limits<std::int64_t>::max()}),
      UsageError);
}

TEST(GenerateSequences, ModelsDifferInWhatLongSequencesAre) {
  const Sequences beginnings{{1, 2}, {3, 0, 1}};
  const GPT2<float> ends({.vocabulary = 5, .context = 6, .blocks = 1, .features = 4, .heads = 2});
  EXPECT_EQ(generate(ends, beginnings, {.count = 4}).count(), 8);
  EXPECT_THROW((void)generate(ends, beginnings, {.count = 5}), UsageError);
  const GPT<float> restarts(
      {.vocabulary = 5, .context = 6, .blocks = 1, .features = 4, .heads = 2});
  EXPECT_EQ(generate(restarts, beginnings, {.count = 20}).count(), 40);
  const Decoder<float> continues(
      {.vocabulary = 5, .context = 6, .blocks = 1, .features = 4, .hidden = 4, .heads = 2});
  EXPECT_EQ(generate(continues, beginnings, {.count = 20}).count(), 40);
}

TEST(GenerateSequences, MistakesAreAnError) {
  const auto message = [](const Sequences& beginnings,
                          const GenerateOptions& options = {.count = 1}) {
    const std::string text =
        thrown<UsageError>([&] { (void)generate(Counting(), beginnings, options); });
    return text.substr(0, text.rfind(" (here)"));
  };
  EXPECT_EQ(message({}), "generate: there is no beginning");
  EXPECT_EQ(message({{0}, {}}), "generate: the beginning has no tokens; that of sequence 1");
  EXPECT_EQ(message({{0, 6}}), "generate: token 6 of sequence 0 is not in [0, 6)");
  EXPECT_EQ(message({{-1}}), "generate: token -1 of sequence 0 is not in [0, 6)");
  EXPECT_EQ(message({{0}}, {.count = -1}), "generate: count is -1, at least 0 is required");
  EXPECT_EQ(message({{0}}, {.repetition_penalty = 0}),
            "generate: repetition_penalty is 0.000000, a finite number above 0 is required");
  EXPECT_EQ(message({{0}}, {.temperature = 0}),
            "generate: temperature is 0.000000, a finite number above 0 is required");
  EXPECT_EQ(message({{0}}, {.top_k = -1}), "generate: top_k is -1, at least 0 is required");
  EXPECT_EQ(message({{0}}, {.top_p = 1.5}),
            "generate: top_p is 1.500000, expected 0 <= top_p <= 1");
  EXPECT_EQ(message({{0}}, {.min_p = -1}),
            "generate: min_p is -1.000000, expected 0 <= min_p <= 1");
  EXPECT_EQ(message({{0}}, {.end_tokens = {6}}), "generate: end token 6 is not in [0, 6)");
  const Counting undefined{.score = std::numeric_limits<double>::quiet_NaN()};
  EXPECT_EQ(thrown<UsageError>(
                [&] { (void)generate(undefined, Tokens{1}, {.count = 1, .greedy = true}); }),
            "generate: the score of token 2 is NaN (here)");
  EXPECT_THROW((void)generate(undefined, Tokens{1}, {.count = 1}), UsageError);
}

}  // namespace generate_test
}  // namespace ddx::models
