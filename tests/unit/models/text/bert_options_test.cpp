#include "ddx/models/text/bert_options.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/nn/activation.h"

#include "tests/support/configured_folder.h"

#include <gtest/gtest.h>
#include <string>

namespace ddx::models {
namespace bert_options_test {

using ddx::testing::ConfiguredFolder;
using ddx::testing::message_of;

TEST(BertOptions, GoThroughAConfiguration) {
  const BertOptions sizes{.vocabulary = 5,
                          .context = 6,
                          .kinds = 3,
                          .blocks = 4,
                          .features = 8,
                          .heads = 2,
                          .hidden = 9,
                          .epsilon = 1e-6,
                          .activation = nn::Activation::ReLU,
                          .classes = 12,
                          .padding = 2,
                          .dropout = 0.2,
                          .attention_dropout = 0.3,
                          .classifier_dropout = 0.4};
  for (const BertFamily family : {BertFamily::Bert, BertFamily::Roberta, BertFamily::Albert,
                                  BertFamily::Electra, BertFamily::DistilBert}) {
    BertOptions options = sizes;
    options.family = family;
    if (family == BertFamily::Albert || family == BertFamily::Electra) {
      options.token_features = 3;
    }
    if (family == BertFamily::Albert) {
      options.distinct_blocks = 2;
    }
    if (family == BertFamily::DistilBert) {
      options.kinds = 0;
      options.epsilon = 1e-12;
    }
    EXPECT_EQ(ConfiguredFolder(configuration_text(options, DType::f32)).options<BertOptions>(),
              options);
  }
}

TEST(BertOptions, AbsentKeysHaveTheDefaultsOfTransformers) {
  const auto options = [](const std::string& text) {
    return ConfiguredFolder(text).options<BertOptions>();
  };
  EXPECT_EQ(options(R"({"model_type": "bert"})"), BertOptions());
  EXPECT_EQ(options(R"({"model_type": "bert", "hidden_dropout_prob": 0.3})").classifier_dropout,
            0.3);
  EXPECT_EQ(
      options(R"({"model_type": "bert", "id2label": {"0": "a", "1": "b", "2": "c"}})").classes, 3);
  EXPECT_EQ(
      options(R"({"model_type": "distilbert"})"),
      (BertOptions{
          .family = BertFamily::DistilBert, .kinds = 0, .blocks = 6, .classifier_dropout = 0.2}));
  EXPECT_EQ(options(R"({"model_type": "electra"})").token_features, 128);
  EXPECT_EQ(options(R"({"model_type": "bert", "pad_token_id": null})").padding, -1);
}

TEST(BertOptions, WhatCannotBeIsAnError) {
  EXPECT_EQ(ConfiguredFolder(R"({"model_type": "gpt2"})").error<BertOptions>(),
            "model_type is \"gpt2\", supported: bert, roberta, albert, electra, distilbert");
  EXPECT_EQ(ConfiguredFolder(R"({"model_type": "bert", "position_embedding_type": "relative_key"})")
                .error<BertOptions>(),
            "position_embedding_type is \"relative_key\", only \"absolute\" is supported");
  EXPECT_EQ(
      ConfiguredFolder(R"({"model_type": "albert", "num_hidden_groups": 5})").error<BertOptions>(),
      "num_hidden_groups is 5, supported: divisors of 12 hidden layers");
  EXPECT_EQ(
      ConfiguredFolder(R"({"model_type": "roberta", "pad_token_id": -1})").error<BertOptions>(),
      "pad_token_id is -1, supported: numbers of at least 0");
  EXPECT_EQ(ConfiguredFolder(R"({"model_type": "albert", "num_hidden_layers": 1000000000000})")
                .error<BertOptions>(),
            "num_hidden_layers is 1000000000000, supported: 1 to 10000");
  EXPECT_EQ(message_of<UsageError>(
                [] { (void)configuration_text(BertOptions{.token_features = 5}, DType::f32); }),
            "save_pretrained: the configuration of bert has no setting for token_features");
}

}  // namespace bert_options_test
}  // namespace ddx::models
