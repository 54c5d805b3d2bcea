// T5 beside that of transformers: see tests/support/recorded_text_model.h.

#include "ddx/models/text/t5.h"

#include "ddx/ad/operators.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/models/blocks/source_attention.h"
#include "ddx/models/generation/answering.h"
#include "ddx/models/generation/generate.h"
#include "ddx/models/pretrained/save_pretrained.h"
#include "ddx/models/text/t5_options.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_devices.h"
#include "tests/support/recorded_text_model.h"
#include "tests/support/temporary_folder.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::models {
namespace t5_test {

using ddx::testing::ConfiguredFolder;
using ddx::testing::message_of;
using ddx::testing::RecordedFolder;
using Tokens = Tensor<std::int32_t>;

constexpr const char* names[] = {"t5", "t5_gated"};

Tokens source(Device device) {
  return ddx::testing::whole_numbers({2, 6}, {11, 3, 40, 22, 8, 1, 6, 6, 50, 31, 27, 1}, device);
}

TEST(T5, HasTheLossAndTheGradientOfTransformers) {
  for (const Device device : ddx::testing::model_devices()) {
    for (const std::string name : names) {
      const auto expected = ddx::testing::recorded_text_model(name);
      const RecordedFolder<T5<double>> folder(name);
      auto model = load_pretrained<T5<double>>(folder.path(), {.device = device});
      const Tokens text = source(device);
      const auto sequences = ddx::testing::recorded_sequences(device);
      const auto labels = ddx::testing::recorded_labels(true, device);
      const auto [loss, gradient] = value_with_gradient(
          [&](const T5<double>& m) {
            return ddx::testing::loss_of_logits(m(text, sequences), labels);
          },
          model);
      EXPECT_NEAR(loss.item(), expected.at("loss").get<double>(), 1e-10) << name;
      const double norm = expected.at("gradient_norm").get<double>();
      EXPECT_NEAR(ddx::testing::gradient_norm(model, gradient), norm, 1e-8 * norm) << name;
      EXPECT_NEAR(model(text, sequences).to(Device::cpu()).elements()[0],
                  expected.at("first_logit").get<double>(), 1e-10)
          << name;
    }
  }
}

TEST(T5, AnswersAsTransformersDoes) {
  for (const Device device : ddx::testing::model_devices()) {
    for (const std::string name : names) {
      const RecordedFolder<T5<double>> folder(name);
      const auto model = load_pretrained<T5<double>>(folder.path(), {.device = device});
      const auto text = slice(source(device), {.stop = {1, 6}});
      const Answering<T5<double>> answering(model, model.encode(text));
      const std::vector<std::int32_t> beginning{5, 9, 13, 2};
      auto made = generate(answering, beginning, {.count = 16, .greedy = true});
      EXPECT_EQ(
          made,
          ddx::testing::recorded_text_model(name).at("tokens").get<std::vector<std::int32_t>>())
          << name;
    }
  }
}

TEST(T5, IsTheSameInSinglePrecision) {
  for (const std::string name : names) {
    const RecordedFolder<T5<double>> folder(name);
    const auto sequences = ddx::testing::recorded_sequences({});
    const auto single = load_pretrained<T5<float>>(folder.path())(source({}), sequences);
    const auto exact = load_pretrained<T5<double>>(folder.path())(source({}), sequences);
    EXPECT_LT(max(abs(cast<double>(single) - exact)).item(), 1e-5) << name;
  }
}

TEST(T5, HasTheParametersOfItsOptionsAndIsSaved) {
  EXPECT_EQ(parameter_count(T5Options()), 60'506'624);
  T5Options options{.vocabulary = 7,
                    .features = 6,
                    .head_features = 4,
                    .hidden = 5,
                    .encoder_blocks = 2,
                    .decoder_blocks = 1,
                    .heads = 3,
                    .buckets = 8,
                    .distance = 20,
                    .epsilon = 1e-5,
                    .dropout = 0.25};
  for (const bool gated : {false, true}) {
    options.gated = gated;
    options.activation = gated ? nn::Activation::SiLU : nn::Activation::GELU;
    options.tied_head = !gated;
    T5<double> model(options);
    std::size_t count = 0;
    nn::visit_parameters([&](const nn::Path&, const auto& weight) { count += weight.count(); },
                         model);
    EXPECT_EQ(parameter_count(options), static_cast<double>(count));
    const ddx::testing::TemporaryFolder folder;
    save_pretrained(model, folder.path());
    const auto again = load_pretrained<T5<double>>(folder.path());
    EXPECT_EQ(again.options, options);
    const Tokens tokens{{1, 6, 0}};
    EXPECT_EQ(again(tokens, tokens), model(tokens, tokens));
  }
}

// Eight buckets, distances to 6. In both directions four buckets each way, of 0, 1, 2 (to 3.4) and
// more: 2 + floor(2 ln(d / 2) / ln 3). In the decoder 0 to 3, then 4 + floor(4 ln(d / 4) / ln 1.5).
TEST(T5, PutsDistancesIntoBuckets) {
  const T5Options options{.buckets = 8, .distance = 6};
  EXPECT_EQ(detail::distance_buckets(1, 6, options, false, {}).values(),
            (std::vector<std::int32_t>{3, 3, 2, 2, 1, 0}));
  EXPECT_EQ(detail::distance_buckets(6, 6, options, false, {}).values()[5], 4 + 3);
  EXPECT_EQ(detail::distance_buckets(1, 8, options, true, {}).values(),
            (std::vector<std::int32_t>{7, 7, 6, 4, 3, 2, 1, 0}));
  EXPECT_EQ(detail::distance_buckets(2, 3, options, true, {}).values(),
            (std::vector<std::int32_t>{1, 0, 8, 2, 1, 0}));
}

TEST(T5, MistakesAreAnError) {
  EXPECT_EQ(message_of<UsageError>([] { T5<float>({.buckets = 2}); }),
            "T5: buckets is 2, at least 4 is required");
  EXPECT_EQ(message_of<UsageError>([] { T5<float>({.buckets = 32, .distance = 16}); }),
            "T5: distance is 16, at least 17 is required");
  const auto error = [](const char* text) { return ConfiguredFolder(text).error<T5Options>(); };
  EXPECT_EQ(error(R"({"model_type": "mt5"})"), "model_type is \"mt5\", supported: t5");
  EXPECT_EQ(error(R"({"model_type": "t5", "feed_forward_proj": "gated-relu"})"),
            "feed_forward_proj is \"gated-relu\", supported: gated-gelu, gated-silu");
  EXPECT_EQ(error(R"({"model_type": "t5", "num_decoder_layers": 0})"),
            "num_decoder_layers is 0, supported: 1 to 10000");
  EXPECT_EQ(message_of<UsageError>([] {
              (void)configuration_text(T5Options{.activation = nn::Activation::Tanh, .gated = true},
                                       DType::f32);
            }),
            "save_pretrained: the configuration of t5 has no setting for gates with tanh");
}

}  // namespace t5_test
}  // namespace ddx::models
