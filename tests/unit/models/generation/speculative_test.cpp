// Speculative continuations beside the likeliest tokens of transformers: see
// tests/support/recorded_text_model.h.

#include "ddx/models/generation/speculative.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/models/generation/token_predictor.h"
#include "ddx/models/gpt.h"
#include "ddx/models/pretrained/load_pretrained.h"
#include "ddx/models/text/decoder.h"
#include "ddx/models/text/gpt2.h"
#include "ddx/models/text/mamba.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_text_model.h"
#include "tests/support/thrown.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

namespace ddx::models {
namespace speculative_test {

using ddx::testing::thrown;
using Tokens = std::vector<std::int32_t>;

static_assert(RevisablePredictor<GPT2<double>> && RevisablePredictor<Decoder<BFloat16>>);
static_assert(!RevisablePredictor<Mamba<float>>);  // States of places that are gone are not kept.
static_assert(!RevisablePredictor<GPT<float>>);    // It restarts.

const Tokens beginning(ddx::testing::recorded_tokens.begin(),
                       ddx::testing::recorded_tokens.begin() + 4);

template <class Model>
Model recorded(const std::string& name, Device device = {}) {
  const ddx::testing::RecordedFolder<Model> folder(name);
  return load_pretrained<Model>(folder.path(), {.device = device});
}

Tokens tokens_of_transformers(const std::string& name) {
  return ddx::testing::recorded_text_model(name).at("tokens").get<Tokens>();
}

template <class Model>
void expect_recorded(const std::string& name, Device device) {
  const auto model = recorded<Model>(name, device);
  // Mistral has a window, and the tokens of its first places are those of Llama.
  for (const char* const other : {"mistral", "qwen3"}) {
    const auto draft = recorded<Decoder<double>>(other, device);
    for (const std::int64_t proposals : {1, 3, 20}) {
      const auto made =
          generate_speculatively(model, draft, beginning, {.count = 16, .proposals = proposals});
      EXPECT_EQ(made.tokens, tokens_of_transformers(name)) << name << " by " << other;
      EXPECT_LE(made.accepted, made.proposed);
      EXPECT_LE(made.steps, 16);
      EXPECT_GE(made.steps + made.accepted, 16);
    }
  }
}

TEST(GenerateSpeculatively, TokensAreThoseOfTransformersWhateverTheDraft) {
  for (const Device device : {Device::naive(), Device::cpu(), Device::lazy()}) {
    for (const char* const name : {"llama", "mistral", "gemma3_mixed"}) {
      expect_recorded<Decoder<double>>(name, device);
    }
    expect_recorded<GPT2<double>>("gpt2", device);
  }
}

// Five tokens come of a call: four of the draft and the one behind them.
TEST(GenerateSpeculatively, ADraftThatIsRightSavesCalls) {
  const auto model = recorded<Decoder<double>>("llama");
  const auto made = generate_speculatively(model, model, beginning, {.count = 16});
  EXPECT_EQ(made.tokens, tokens_of_transformers("llama"));
  EXPECT_EQ(made.steps, 4);
  EXPECT_EQ(made.proposed, 12);
  EXPECT_EQ(made.accepted, 12);
}

TEST(GenerateSpeculatively, ADraftThatIsWrongCostsNoToken) {
  const auto model = recorded<Decoder<double>>("llama");
  auto draft = model;
  draft.head->weight = -draft.head->weight;  // The least likely tokens.
  const auto made = generate_speculatively(model, draft, beginning, {.count = 16});
  EXPECT_EQ(made.tokens, tokens_of_transformers("llama"));
  EXPECT_EQ(made.steps, 16);
  EXPECT_EQ(made.accepted, 0);
}

TEST(GenerateSpeculatively, EndsWithAnEndTokenOrTheCount) {
  const auto model = recorded<Decoder<double>>("llama");
  const auto expected = tokens_of_transformers("llama");  // 36 45 41 11 60 57 41 ...
  EXPECT_EQ(generate_speculatively(model, model, beginning, {.end_tokens = {60, 11}}).tokens,
            Tokens(expected.begin(), expected.begin() + 4));
  EXPECT_EQ(generate_speculatively(model, model, beginning, {.count = 1}).tokens, Tokens{36});
  const auto none = generate_speculatively(model, model, beginning, {.count = 0});
  EXPECT_TRUE(none.tokens.empty());
  EXPECT_EQ(none.steps, 0);
}

TEST(GenerateSpeculatively, FillsTheContextAndNoMore) {
  const auto model = recorded<GPT2<double>>("gpt2");  // 32 places; the last token is not seen.
  EXPECT_EQ(generate_speculatively(model, model, beginning, {.count = 29}).tokens.size(), 29U);
  EXPECT_EQ(thrown<UsageError>([&] {
              (void)generate_speculatively(recorded<Decoder<double>>("llama"), model, beginning,
                                           {.count = 30});
            }),
            "generate_speculatively: the beginning has 4 tokens; with 30 more it does not fit in a "
            "context of 32 (here)");
}

TEST(GenerateSpeculatively, MistakesAreErrors) {
  const auto model = recorded<Decoder<double>>("llama");
  const auto error = [&](const Tokens& tokens, const SpeculativeOptions& options) {
    return thrown<UsageError>([&] { (void)generate_speculatively(model, model, tokens, options); });
  };
  const std::string name = "generate_speculatively: ";
  EXPECT_EQ(error({}, {}), name + "the beginning has no tokens (here)");
  EXPECT_EQ(error({1, 64}, {}), name + "token 64 is not in [0, 64) (here)");
  EXPECT_EQ(error({1}, {.end_tokens = {-1}}), name + "end token -1 is not in [0, 64) (here)");
  EXPECT_EQ(error({1}, {.count = -1}), name + "count is -1, at least 0 is required (here)");
  EXPECT_EQ(error({1}, {.proposals = 0}), name + "proposals is 0, at least 1 is required (here)");
  const Decoder<double> other(
      {.vocabulary = 5, .blocks = 1, .features = 4, .hidden = 4, .heads = 1});
  EXPECT_EQ(thrown<UsageError>([&] { (void)generate_speculatively(model, other, beginning); }),
            name + "the vocabulary of the model has 64 tokens, that of the draft 5 (here)");
  auto broken = model;
  broken.norm.scale = broken.norm.scale * std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(thrown<UsageError>([&] { (void)generate_speculatively(broken, model, beginning); }),
            name + "the score of token 0 is NaN (here)");
}

}  // namespace speculative_test
}  // namespace ddx::models
