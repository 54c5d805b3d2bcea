// Decoders beside those of transformers: see tests/support/recorded_text_model.h.

#include "ddx/models/text/decoder.h"

#include "ddx/ad/operators.h"
#include "ddx/backend/memory_statistics.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/models/blocks/routed_dense.h"
#include "ddx/nn/precision.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_devices.h"
#include "tests/support/recorded_text_model.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace ddx::models {
namespace decoder_test {

using ddx::testing::message_of;

constexpr const char* names[] = {"llama",      "llama3",  "llama_linear", "mistral",
                                 "qwen2",      "qwen3",   "gemma3",       "gemma3_mixed",
                                 "llama_yarn", "mixtral", "phi3"};

class DecoderOn : public ::testing::TestWithParam<const char*> {
 protected:
  [[nodiscard]] static Device device() {
    const std::string name = GetParam();
    return name == "naive"  ? Device::naive()
           : name == "lazy" ? Device::lazy()
           : name == "xla"  ? ddx::testing::xla_device()
                            : Device::cpu();
  }
  void SetUp() override {
    if (std::string(GetParam()) == "xla" && !ddx::testing::has_xla()) {
      GTEST_SKIP() << "no plugin of XLA: tools/install_pjrt_plugin installs one";
    }
  }
};

TEST_P(DecoderOn, HasTheLossAndTheGradientOfTransformers) {
  for (const char* const name : names) {
    ddx::testing::expect_recorded_model<Decoder<double>>(name, device());
  }
}

TEST_P(DecoderOn, ContinuesAsTransformersDoes) {
  for (const char* const name : names) {
    ddx::testing::expect_recorded_continuation<Decoder<double>>(name, device());
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, DecoderOn, ::testing::Values("naive", "cpu", "lazy", "xla"),
                         [](const auto& named) { return std::string(named.param); });

TEST(Decoder, IsTheSameInSinglePrecision) {
  for (const char* const name : names) {
    ddx::testing::expect_equal_in_f32<Decoder<float>, Decoder<double>>(name);
  }
}

TEST(Decoder, HasTheParametersOfItsOptions) {
  DecoderOptions options{.vocabulary = 7,
                         .blocks = 3,
                         .features = 8,
                         .hidden = 5,
                         .heads = 4,
                         .key_heads = 2,
                         .head_features = 6};
  const auto count = [&] {
    std::size_t sum = 0;
    Decoder<float> model(options);
    nn::visit_parameters([&](const nn::Path&, const auto& weight) { sum += weight.count(); },
                         model);
    EXPECT_EQ(parameter_count(options), static_cast<double>(sum));
    return sum;
  };
  // Per block: query and output 8 x 24, key and value 8 x 12, three of 8 x 5, two norms of 8.
  const std::size_t blocks = 3U * (2 * 8 * 24 + 2 * 8 * 12 + 3 * 8 * 5 + 2 * 8);
  EXPECT_EQ(count(), blocks + 2 * 7 * 8 + 8);
  options.tied_head = true;
  EXPECT_EQ(count(), blocks + 7 * 8 + 8);
  options.family = DecoderFamily::Qwen2;
  EXPECT_EQ(count(), blocks + 3 * (24 + 12 + 12) + 7 * 8 + 8);
  options.family = DecoderFamily::Qwen3;
  EXPECT_EQ(count(), blocks + 3 * 2 * 6 + 7 * 8 + 8);
  options.family = DecoderFamily::Gemma3;
  EXPECT_EQ(count(), blocks + 3 * (2 * 6 + 2 * 8) + 7 * 8 + 8);
  options.family = DecoderFamily::Mixtral;
  options.experts = 3;
  EXPECT_EQ(count(), blocks + 3 * (2 * 3 * 8 * 5 + 3 * 8) + 7 * 8 + 8);
  options.family = DecoderFamily::Gemma3;
  options.experts = 0;
  options.attention_bias = true;
  EXPECT_EQ(count(), blocks + 3 * (2 * 6 + 2 * 8 + 24 + 2 * 12 + 8) + 7 * 8 + 8);
}

/// A gradient, and the most memory that it takes beside what was there before.
auto gradient_and_peak(const Decoder<double>& model) {
  const Tensor<std::int32_t> tokens({1, 128}, std::vector<std::int32_t>(128, 3));
  backend::reset_memory_peak();
  const auto before = backend::memory_statistics().in_use;
  auto slopes = gradient([&](const Decoder<double>& m) { return sum(square(m(tokens))); }, model);
  const auto peak = static_cast<double>(backend::memory_statistics().peak - before);
  return std::pair(std::move(slopes), peak);
}

TEST(Decoder, BlocksThatAreRecomputedHaveTheSameGradientForLessMemory) {
  Decoder<double> model(
      {.vocabulary = 8, .blocks = 6, .features = 16, .hidden = 44, .heads = 2, .key_heads = 1});
  const auto [kept, most] = gradient_and_peak(model);
  model.recomputes_blocks = true;
  const auto [recomputed, least] = gradient_and_peak(model);
  nn::visit_parameters([](const nn::Path& path, const auto& a,
                          const auto& b) { EXPECT_EQ(a, b) << to_string(path); },
                       kept, recomputed);
  EXPECT_LT(least, 0.5 * most);
}

// Probabilities of 1 / 7, 2 / 7 and 4 / 7: the last two add up to 1 as 1 / 3 and 2 / 3.
TEST(RoutedDense, WeightsTheLikeliestExperts) {
  RoutedDense<double> layer({.experts = 3}, {.features = 1, .hidden = 1});
  layer.router.weight = log(Tensor<double>{{1, 2, 4}});
  const Tensor<double> x({1, 1, 1}, {1});
  const auto weights = layer.weights(x).values();
  EXPECT_EQ(weights[0], 0);
  EXPECT_NEAR(weights[1], 1.0 / 3, 1e-15);
  EXPECT_NEAR(weights[2], 2.0 / 3, 1e-15);
  const double sum = layer.experts[1](x).item() / 3 + 2 * layer.experts[2](x).item() / 3;
  EXPECT_NEAR(layer(x).item(), sum, 1e-15);
}

// 8 bits of a fraction: a gradient through two blocks differs by some hundredths.
TEST(Decoder, HasGradientsIn16BitsForMastersIn32) {
  const DecoderOptions options{.vocabulary = 8,
                               .blocks = 2,
                               .features = 16,
                               .hidden = 44,
                               .heads = 2,
                               .attention = {{.window = 3}}};
  const Decoder<float> masters(options);
  const Decoder<BFloat16> form(options);
  const Tensor<std::int32_t> tokens({1, 6}, {3, 1, 4, 1, 5, 2});
  const auto loss = [&](const auto& scores) { return sum(square(cast<float>(scores))); };
  const auto exact = gradient([&](const Decoder<float>& m) { return loss(m(tokens)); }, masters);
  const auto slopes = gradient(
      [&](const Decoder<float>& m) { return loss(nn::cast_parameters(form, m)(tokens)); }, masters);
  double error = 0;
  double size = 0;
  nn::visit_parameters(
      [&](const nn::Path&, const auto& a, const auto& b) {
        error += static_cast<double>(sum(square(a - b)).item());
        size += static_cast<double>(sum(square(b)).item());
      },
      slopes, exact);
  EXPECT_GT(size, 0);
  EXPECT_LT(std::sqrt(error / size), 0.05);
}

TEST(Decoder, MistakesAreAnError) {
  EXPECT_EQ(message_of<UsageError>([] { Decoder<float>({.blocks = 0}); }),
            "Decoder: blocks is 0, at least 1 is required");
  EXPECT_EQ(message_of<UsageError>([] { Decoder<float>({.attention = {}}); }),
            "Decoder: attention is empty, at least one is required");
  EXPECT_EQ(message_of<UsageError>([] {
              Decoder<float>({.vocabulary = 4, .features = 12, .heads = 4, .key_heads = 3});
            }),
            "GroupedAttention: heads is 4, no multiple of key_heads, which is 3");
  const Decoder<float> model(
      {.vocabulary = 4, .blocks = 1, .features = 4, .hidden = 4, .heads = 2});
  EXPECT_THROW((void)model(Tensor<std::int32_t>{{0, 4}}), UsageError);
  EXPECT_EQ(
      message_of<UsageError>([] {
        Decoder<float>(
            {.vocabulary = 4, .blocks = 1, .features = 4, .hidden = 4, .heads = 2, .experts = 1});
      }),
      "RoutedDense: experts is 1, at least 2 is required");
}

}  // namespace decoder_test
}  // namespace ddx::models
