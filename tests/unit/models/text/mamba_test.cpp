// Mamba beside that of transformers: see tests/support/recorded_text_model.h.

#include "ddx/models/text/mamba.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/models/blocks/selective_state_space.h"
#include "ddx/models/generation/generate.h"
#include "ddx/models/pretrained/save_pretrained.h"
#include "ddx/models/text/mamba_options.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_devices.h"
#include "tests/support/recorded_text_model.h"
#include "tests/support/temporary_folder.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <source_location>
#include <vector>

namespace ddx::models {
namespace mamba_test {

using ddx::testing::message_of;

TEST(Mamba, HasTheLossTheGradientAndTheTokensOfTransformers) {
  for (const Device device : ddx::testing::model_devices()) {
    ddx::testing::expect_recorded_model<Mamba<double>>("mamba", device);
    ddx::testing::expect_recorded_continuation<Mamba<double>>("mamba", device);
  }
}

// The logits are up to 4.3; those of transformers in f32 differ by 9.3e-6 from its own in f64.
TEST(Mamba, IsTheSameInSinglePrecision) {
  ddx::testing::expect_equal_in_f32<Mamba<float>, Mamba<double>>("mamba", 2e-5);
}

TEST(Mamba, HasTheParametersOfItsOptionsAndIsSaved) {
  MambaOptions options{.vocabulary = 5,
                       .blocks = 2,
                       .features = 6,
                       .expansion = 3,
                       .states = 4,
                       .kernel = 3,
                       .step_features = 2,
                       .bias = true,
                       .kernel_bias = false,
                       .tied_head = false};
  // 18 channels: in 6 x 36 + 36, kernel 18 x 3, x 18 x 10, dt 2 x 18 + 18, A 18 x 4, D 18,
  // out 18 x 6 + 6, norm 6.
  const std::size_t block = 6 * 36 + 36 + 18 * 3 + 18 * 10 + 3 * 18 + 18 * 4 + 18 + 18 * 6 + 6 + 6;
  for (const bool tied : {false, true}) {
    options.tied_head = tied;
    Mamba<double> model(options);
    std::size_t count = 0;
    nn::visit_parameters([&](const nn::Path&, const auto& weight) { count += weight.count(); },
                         model);
    EXPECT_EQ(count, 2 * block + 6 + 5 * 6 * (tied ? 1U : 2U));
    EXPECT_EQ(parameter_count(options), static_cast<double>(count));
    const ddx::testing::TemporaryFolder folder;
    save_pretrained(model, folder.path());
    const auto again = load_pretrained<Mamba<double>>(folder.path());
    EXPECT_EQ(again.options, options);
    const Tensor<std::int32_t> tokens{{1, 4, 0}};
    EXPECT_EQ(again(tokens), model(tokens));
  }
  EXPECT_EQ(parameter_count(MambaOptions{.blocks = 24}), 129'135'360);
}

// The states fade by exp(-step), exp(-2 step), ... where nothing is learnt; steps begin in [0.001,
// 0.1].
TEST(Mamba, BeginsWithStatesThatFadeSlowly) {
  const Mamba<double> model({.vocabulary = 5, .blocks = 1, .features = 4, .states = 3});
  const auto& mixer = model.blocks[0].mixer;
  const auto fading = mixer.fading.values();
  EXPECT_NEAR(std::exp(fading[4]), 2, 1e-12);
  EXPECT_NEAR(std::exp(fading[23]), 3, 1e-12);
  for (const double bias : mixer.step.bias.values()) {
    const double step = std::log1p(std::exp(bias));
    EXPECT_TRUE(step >= 0.001 - 1e-12 && step <= 0.1 + 1e-12) << step;
  }
}

// One channel of one state that halves, of rate -1: h = h / 2 + ln 2 x b, y = h c.
TEST(SelectiveScan, CarriesStatesFromPlaceToPlace) {
  const double ln2 = std::log(2);
  const Tensor<double> steps({1, 2, 1}, {ln2, ln2});
  const auto [last, y] = detail::selective_scan(
      Tensor<double>({1, 1, 1}, {8}), Tensor<double>({1, 1}, {-1}),
      Tensor<double>({1, 2, 1}, {2, 3}), steps, Tensor<double>({1, 2, 1}, {1, 5}),
      Tensor<double>({1, 2, 1}, {10, 100}), std::source_location::current());
  const double first = 4 + 2 * ln2;
  const double second = first / 2 + 15 * ln2;
  EXPECT_NEAR(last.item(), second, 1e-12);
  EXPECT_NEAR(y.values()[0], 10 * first, 1e-12);
  EXPECT_NEAR(y.values()[1], 100 * second, 1e-12);
}

TEST(Mamba, GeneratesSeveralSequences) {
  const ddx::testing::RecordedFolder<Mamba<double>> folder("mamba");
  const auto model = load_pretrained<Mamba<double>>(folder.path());
  const auto expected =
      ddx::testing::recorded_text_model("mamba").at("tokens").get<std::vector<std::int32_t>>();
  const std::vector<std::vector<std::int32_t>> beginnings{{5, 9, 13, 2}, {4, 4}};
  const auto made = generate(model, beginnings, {.count = 16, .greedy = true});
  EXPECT_EQ(made.tokens[0], expected);
  EXPECT_EQ(made.tokens[1], generate(model, beginnings[1], {.count = 16, .greedy = true}));
}

TEST(Mamba, MistakesAreAnError) {
  EXPECT_EQ(message_of<UsageError>([] { Mamba<float>({.blocks = 0}); }),
            "Mamba: blocks is 0, at least 1 is required");
  EXPECT_EQ(
      message_of<UsageError>([] { Mamba<float>({.vocabulary = 4, .features = 4, .states = 0}); }),
      "SelectiveStateSpace: states is 0, at least 1 is required");
  using ddx::testing::ConfiguredFolder;
  const auto error = [](const char* text) { return ConfiguredFolder(text).error<MambaOptions>(); };
  EXPECT_EQ(error(R"({"model_type": "mamba2"})"), "model_type is \"mamba2\", supported: mamba");
  EXPECT_EQ(error(R"({"model_type": "mamba", "time_step_rank": "half"})"),
            "time_step_rank is \"half\", only \"auto\" is supported");
  EXPECT_EQ(error(R"({"model_type": "mamba", "time_step_rank": 0})"),
            "time_step_rank is 0, supported: numbers above 0 and \"auto\"");
  EXPECT_EQ(error(R"({"model_type": "mamba", "hidden_size": 8, "intermediate_size": 20})"),
            "intermediate_size is 20, only 16 is supported");
}

}  // namespace mamba_test
}  // namespace ddx::models
