#include "ddx/models/text/gpt2_options.h"

#include "ddx/core/dtype.h"
#include "ddx/nn/activation.h"

#include "tests/support/configured_folder.h"

#include <gtest/gtest.h>

namespace ddx::models {
namespace gpt2_options_test {

using ddx::testing::ConfiguredFolder;

TEST(GPT2Options, GoThroughAConfiguration) {
  const GPT2Options options{.vocabulary = 5,
                            .context = 6,
                            .blocks = 7,
                            .features = 8,
                            .heads = 2,
                            .hidden = 9,
                            .epsilon = 1e-6,
                            .activation = nn::Activation::ReLU,
                            .token_dropout = 0.2,
                            .attention_dropout = 0.3,
                            .dropout = 0.4};
  EXPECT_EQ(ConfiguredFolder(configuration_text(options, DType::f32)).options<GPT2Options>(),
            options);
  EXPECT_EQ(ConfiguredFolder(R"({"model_type": "gpt2", "n_inner": null})").options<GPT2Options>(),
            GPT2Options());
}

// As the package prints it.
TEST(GPT2Options, HaveTheParametersOfThePublishedModel) {
  EXPECT_EQ(parameter_count(GPT2Options()), 124'439'808);
}

TEST(GPT2Options, WhatIsNotSupportedIsAnError) {
  EXPECT_EQ(ConfiguredFolder(R"({"model_type": "llama"})").error<GPT2Options>(),
            "model_type is \"llama\", supported: gpt2");
  EXPECT_EQ(ConfiguredFolder(R"({"model_type": "gpt2", "scale_attn_by_inverse_layer_idx": true})")
                .error<GPT2Options>(),
            "scale_attn_by_inverse_layer_idx is true, only false is supported");
}

}  // namespace gpt2_options_test
}  // namespace ddx::models
