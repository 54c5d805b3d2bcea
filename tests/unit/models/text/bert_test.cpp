// BERT and its relatives beside those of transformers: see tests/support/recorded_text_model.h.

#include "ddx/models/text/bert.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/models/pretrained/load_pretrained.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_devices.h"
#include "tests/support/recorded_text_model.h"
#include "tests/support/thrown.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>

namespace ddx::models {
namespace bert_test {

using ddx::testing::message_of;
using ddx::testing::thrown;
using Tokens = Tensor<std::int32_t>;

constexpr const char* names[] = {"bert", "roberta", "albert", "electra", "distilbert"};

TEST(Bert, HasTheLossAndTheGradientOfTransformers) {
  for (const Device device : ddx::testing::model_devices()) {
    for (const char* const name : names) {
      ddx::testing::expect_recorded_model<Bert<double>>(name, device);
    }
  }
}

TEST(Bert, IsTheSameInSinglePrecision) {
  for (const char* const name : names) {
    ddx::testing::expect_equal_in_f32<Bert<float>, Bert<double>>(name);
  }
}

TEST(Bert, PaddingThatIsMaskedChangesNothing) {
  for (const char* const name : names) {
    const ddx::testing::RecordedFolder<Bert<double>> folder(name);
    const auto model = load_pretrained<Bert<double>>(folder.path());
    const auto padding = static_cast<std::int32_t>(model.options.padding);
    const Tokens sequence{{5, 9, 13, padding, padding}};
    const Tensor<bool> mask{{true, true, true, false, false}};
    const auto scores = model(sequence, Tokens(), mask);
    EXPECT_LT(max(abs(scores - model(Tokens{{5, 9, 13}}))).item(), 1e-12) << name;
    EXPECT_GT(max(abs(scores - model(sequence))).item(), 1e-6) << name;
  }
}

TEST(Bert, KindsThatAreLeftOutAreTheFirst) {
  const ddx::testing::RecordedFolder<Bert<double>> folder("bert");
  const auto model = load_pretrained<Bert<double>>(folder.path());
  const Tokens sequence{{5, 9, 13}};
  const auto scores = model(sequence);
  EXPECT_EQ(model(sequence, Tokens{{0, 0, 0}}, Tensor<bool>()), scores);
  EXPECT_NE(model(sequence, Tokens{{0, 1, 1}}, Tensor<bool>()), scores);
}

TEST(Bert, HasTheParametersOfItsFamily) {
  const auto count = [](const BertOptions& options) {
    std::size_t sum = 0;
    Bert<float> model(options);
    nn::visit_parameters([&](const nn::Path&, const auto& weight) { sum += weight.count(); },
                         model);
    EXPECT_EQ(parameter_count(options), static_cast<double>(sum));
    return sum;
  };
  const BertOptions small{.vocabulary = 7,
                          .context = 6,
                          .blocks = 2,
                          .features = 4,
                          .heads = 2,
                          .hidden = 5,
                          .classes = 3};
  // Per block: four of 4 x 4 + 4, 4 x 5 + 5, 5 x 4 + 4, two norms of 2 x 4.
  const std::size_t block = 4U * 20 + 25 + 24 + 16;
  const std::size_t head = 20 + 15;
  EXPECT_EQ(count(small), (7U + 6 + 2) * 4 + 8 + 2 * block + head);
  BertOptions albert = small;
  albert.family = BertFamily::Albert;
  albert.distinct_blocks = 1;
  albert.token_features = 2;
  EXPECT_EQ(count(albert), (7U + 6 + 2) * 2 + 4 + (2 * 4 + 4) + block + head);
}

TEST(Bert, MistakesAreAnError) {
  EXPECT_EQ(message_of<UsageError>([] { Bert<float>({.blocks = 3, .distinct_blocks = 2}); }),
            "Bert: blocks is 3, no multiple of distinct_blocks, which is 2");
  const Bert<float> model(
      {.vocabulary = 7, .context = 6, .blocks = 1, .features = 4, .heads = 2, .hidden = 5});
  EXPECT_EQ(thrown<UsageError>([&] { (void)model(Tokens{1, 2}); }),
            "Bert: shape [2] is not [n, time] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)model(Tokens{{1, 2}}, Tokens(), ones<bool>({1, 1})); }),
            "Bert: mask [1, 1] has not the shape of the sequence, [1, 2] (here)");
}

}  // namespace bert_test
}  // namespace ddx::models
