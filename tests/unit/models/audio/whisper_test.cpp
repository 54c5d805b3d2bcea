// Whisper beside that of transformers: see tests/support/recorded_text_model.h.

#include "ddx/models/audio/whisper.h"

#include "ddx/ad/operators.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/models/audio/whisper_options.h"
#include "ddx/models/generation/answering.h"
#include "ddx/models/generation/generate.h"
#include "ddx/models/pretrained/save_pretrained.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_devices.h"
#include "tests/support/named_numbers.h"
#include "tests/support/recorded_text_model.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::models {
namespace whisper_test {

using ddx::testing::ConfiguredFolder;
using ddx::testing::message_of;
using ddx::testing::RecordedFolder;

/// Two spectrograms of 16 frames and 16 bands.
Tensor<double> sounds(Device device) {
  return Tensor<double>({2, 16, 16}, ddx::testing::named_numbers("input", 512), device);
}

TEST(Whisper, HasTheLossTheGradientAndTheTokensOfTransformers) {
  const auto expected = ddx::testing::recorded_text_model("whisper");
  const RecordedFolder<Whisper<double>> folder("whisper");
  for (const Device device : ddx::testing::model_devices()) {
    auto model = load_pretrained<Whisper<double>>(folder.path(), {.device = device});
    const auto sound = sounds(device);
    const auto sequences = ddx::testing::recorded_sequences(device);
    const auto labels = ddx::testing::recorded_labels(true, device);
    const auto [loss, gradient] = value_with_gradient(
        [&](const Whisper<double>& m) {
          return ddx::testing::loss_of_logits(m(sound, sequences), labels);
        },
        model);
    EXPECT_NEAR(loss.item(), expected.at("loss").get<double>(), 1e-10);
    const double norm = expected.at("gradient_norm").get<double>();
    EXPECT_NEAR(ddx::testing::gradient_norm(model, gradient), norm, 1e-8 * norm);
    EXPECT_NEAR(model(sound, sequences).to(Device::cpu()).elements()[0],
                expected.at("first_logit").get<double>(), 1e-10);
    const auto first = slice(sound, {.stop = {1, 16, 16}});
    const Answering<Whisper<double>> answering(model, model.encode(first));
    const std::vector<std::int32_t> beginning{5, 9, 13, 2};
    auto made = generate(answering, beginning, {.count = 16, .greedy = true});
    EXPECT_EQ(made, expected.at("tokens").get<std::vector<std::int32_t>>());
  }
}

TEST(Whisper, IsTheSameInSinglePrecision) {
  const RecordedFolder<Whisper<double>> folder("whisper");
  const auto sequences = ddx::testing::recorded_sequences({});
  const auto sound = sounds({});
  const auto single = load_pretrained<Whisper<float>>(folder.path())(cast<float>(sound), sequences);
  const auto exact = load_pretrained<Whisper<double>>(folder.path())(sound, sequences);
  EXPECT_LT(max(abs(cast<double>(single) - exact)).item(), 1e-5);
}

TEST(Whisper, HasTheParametersOfItsOptionsAndIsSaved) {
  EXPECT_EQ(parameter_count(WhisperOptions()), 37'760'640);
  const WhisperOptions options{.vocabulary = 7,
                               .bands = 3,
                               .source_places = 4,
                               .target_places = 5,
                               .features = 6,
                               .encoder_blocks = 1,
                               .encoder_heads = 3,
                               .encoder_hidden = 8,
                               .decoder_blocks = 2,
                               .decoder_heads = 2,
                               .decoder_hidden = 9,
                               .activation = nn::Activation::ReLU};
  Whisper<double> model(options);
  std::size_t count = 4 * 6;  // The places of the encoder rest.
  nn::visit_parameters([&](const nn::Path&, const auto& weight) { count += weight.count(); },
                       model);
  EXPECT_EQ(parameter_count(options), static_cast<double>(count));
  const ddx::testing::TemporaryFolder folder;
  save_pretrained(model, folder.path());
  const auto again = load_pretrained<Whisper<double>>(folder.path());
  EXPECT_EQ(again.options, options);
  const Tensor<std::int32_t> tokens{{1, 6, 0}};
  const auto sound = ones<double>({1, 8, 3});
  EXPECT_EQ(again(sound, tokens), model(sound, tokens));
}

// Of 6 features three frequencies, 1, 1 / 100 and 1 / 10000.
TEST(Whisper, ItsEncoderBeginsWithSinusoids) {
  const auto places = detail::source_positions({.source_places = 2, .features = 6});
  EXPECT_EQ(places[0], 0);
  EXPECT_EQ(places[5], 1);
  EXPECT_NEAR(places[7], std::sin(0.01), 1e-15);
  EXPECT_NEAR(places[11], std::cos(0.0001), 1e-15);
}

TEST(Whisper, MistakesAreAnError) {
  EXPECT_EQ(message_of<UsageError>([] { Whisper<float>({.features = 6, .encoder_heads = 4}); }),
            "Whisper: features is 6, no multiple of encoder_heads, which is 4");
  EXPECT_EQ(message_of<UsageError>([] { Whisper<float>({.features = 7}); }),
            "Whisper: features is 7, an even number is required");
  const Whisper<float> model({.vocabulary = 5,
                              .bands = 3,
                              .source_places = 4,
                              .features = 6,
                              .encoder_blocks = 1,
                              .decoder_blocks = 1});
  EXPECT_EQ(ddx::testing::thrown<UsageError>([&] { (void)model.encode(zeros<float>({1, 7, 3})); }),
            "Whisper: the spectrogram is [1, 7, 3], expected [n, 8, 3] (here)");
  const auto error = [](const char* text) {
    return ConfiguredFolder(text).error<WhisperOptions>();
  };
  EXPECT_EQ(error(R"({"model_type": "t5"})"), "model_type is \"t5\", supported: whisper");
  EXPECT_EQ(error(R"({"model_type": "whisper", "dropout": 0.1})"),
            "dropout is 0.1, only 0.0 is supported");
  EXPECT_EQ(error(R"({"model_type": "whisper", "scale_embedding": true})"),
            "scale_embedding is true, only false is supported");
}

}  // namespace whisper_test
}  // namespace ddx::models
