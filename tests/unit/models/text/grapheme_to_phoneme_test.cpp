// Pronunciations beside PyTorch: see tests/support/recorded_packaged_model.h.

#include "ddx/models/text/grapheme_to_phoneme.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/models/generation/answering.h"
#include "ddx/models/generation/generate.h"
#include "ddx/models/text/grapheme_to_phoneme_options.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/softmax.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_packaged_model.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace ddx::models {
namespace grapheme_to_phoneme_test {

using ddx::testing::message_of;
using ddx::testing::thrown;

const GraphemeToPhonemeOptions small{.letters = 7, .phonemes = 9, .features = 5, .hidden = 6};

Tensor<std::int32_t> tokens(const Shape& shape, const std::vector<std::int32_t>& values,
                            Device device) {
  return Tensor<std::int32_t>(shape, values, device);
}

TEST(GraphemeToPhoneme, HasTheScoresAndTheGradientOfPyTorch) {
  ddx::testing::expect_recorded_packaged_model<GraphemeToPhoneme>(
      "grapheme_to_phoneme", small,
      [](auto, Device device) {
        return std::pair(tokens({2, 4}, {3, 6, 4, 2, 5, 5, 3, 2}, device),
                         tokens({2, 3}, {2, 4, 8, 2, 7, 0}, device));
      },
      [](const auto& model, const auto& pair) { return model(pair.first, pair.second); },
      [](const auto& scores) {
        const auto labels = tokens({6}, {4, 8, 3, 7, 0, 3}, scores.device());
        return softmax_cross_entropy(reshape(scores, {6, 9}), labels);
      });
}

TEST(GraphemeToPhoneme, WritesTheLikeliestPhonemesOneByOne) {
  const auto expected = ddx::testing::recorded_packaged_model("grapheme_to_phoneme")
                            .at("tokens")
                            .get<std::vector<std::int32_t>>();
  for (const Device device : {Device::naive(), Device::cpu(), Device::lazy()}) {
    const auto model = ddx::testing::filled_by_names<GraphemeToPhoneme<double>>(small, device);
    const Answering<GraphemeToPhoneme<double>> answering(
        model, model.encode(tokens({1, 4}, {3, 6, 4, 2}, device)));
    const std::vector<std::int32_t> beginning{2};
    EXPECT_EQ(generate(answering, beginning, {.count = 6, .greedy = true}), expected);
  }
}

TEST(GraphemeToPhoneme, LettersAndPhonemesAreThoseOfThePackage) {
  EXPECT_EQ(letter_tokens("azB"), (std::vector<std::int32_t>{3, 28, 1, 2}));
  EXPECT_EQ(letter_tokens(""), (std::vector<std::int32_t>{2}));
  EXPECT_EQ(phoneme_text(std::vector<std::int32_t>{0, 4, 22, 73}), "<pad> AA0 B ZH");
  EXPECT_EQ(phoneme_text({}), "");
  EXPECT_EQ(message_of<UsageError>([] { (void)phoneme_text(std::vector<std::int32_t>{74}); }),
            "phoneme_text: token 74 is not in [0, 74)");
}

TEST(GraphemeToPhoneme, HasThePublishedNumberOfParameters) {
  GraphemeToPhoneme<float> model;
  EXPECT_EQ(ddx::testing::parameters_of(model), 834'890U);
}

// With scores that are always the largest for one phoneme.
TEST(GraphemeToPhoneme, APronunciationEndsWithTheEndOr20Phonemes) {
  GraphemeToPhoneme<double> model;
  std::vector<double> bias(74);
  bias[last_phoneme] = 1000;
  model.head.bias = Tensor<double>({74}, bias);
  EXPECT_EQ(pronunciation(model, "zoo"), "");
  bias[last_phoneme] = 0;
  bias[22] = 1000;
  model.head.bias = Tensor<double>({74}, bias);
  std::string expected = "B";
  for (int i = 1; i < 20; ++i) {
    expected += " B";
  }
  EXPECT_EQ(pronunciation(model, ""), expected);
}

TEST(GraphemeToPhoneme, MistakesAreAnError) {
  EXPECT_EQ(message_of<UsageError>([] { GraphemeToPhoneme<float>({.hidden = 0}); }),
            "GraphemeToPhoneme: hidden is 0, at least 1 is required");
  const GraphemeToPhoneme<float> model(small);
  EXPECT_EQ(thrown<UsageError>([&] { (void)pronunciation(model, "z"); }),
            "gather: index 28 at position 0 is not in [0, 7) (here)");
}

}  // namespace grapheme_to_phoneme_test
}  // namespace ddx::models
