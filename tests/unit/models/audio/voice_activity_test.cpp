// Voice activity beside PyTorch: see tests/support/recorded_packaged_model.h.

#include "ddx/models/audio/voice_activity.h"

#include "ddx/ad/operators.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/models/audio/voice_activity_options.h"
#include "ddx/models/pretrained/weights.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_packaged_model.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace ddx::models {
namespace voice_activity_test {

using ddx::testing::message_of;
using ddx::testing::named_tensor;
using ddx::testing::thrown;

const VoiceActivityOptions small{.window = 64, .features = 8, .inner_features = 6};

TEST(VoiceActivity, HasTheScoresAndTheGradientOfPyTorch) {
  ddx::testing::expect_recorded_packaged_model<VoiceActivity>(
      "voice_activity", small,
      [](auto number, Device device) {
        return named_tensor<decltype(number)>("samples", {2, 200}, device);
      },
      [](const auto& model, const auto& samples) { return model(samples); },
      [](const auto& scores) { return ddx::testing::squared_probabilities(scores); });
}

TEST(VoiceActivity, HasTheGradientByTheSamplesOfPyTorch) {
  const auto model = ddx::testing::filled_by_names<VoiceActivity<double>>(small);
  const auto slope = gradient(
      [&](const Tensor<double>& samples) {
        return ddx::testing::squared_probabilities(model(samples));
      },
      named_tensor<double>("samples", {2, 200}, {}));
  const double expected = ddx::testing::recorded_packaged_model("voice_activity")
                              .at("samples_gradient_norm")
                              .get<double>();
  EXPECT_NEAR(std::sqrt(sum(square(slope)).item()), expected, 1e-10);
}

TEST(VoiceActivity, HearsAStreamInPiecesAsTheWhole) {
  const auto model = ddx::testing::filled_by_names<VoiceActivity<double>>(small);
  const auto samples = named_tensor<double>("samples", {2, 256}, {});
  const auto whole = model(samples);
  EXPECT_EQ(whole.shape(), (Shape{2, 4}));
  VoiceActivity<double>::Cache cache;
  std::vector<Tensor<double>> scores;
  const std::vector<std::int64_t> pieces{0, 1, 62, 1, 0, 130, 62};
  const std::vector<std::int64_t> windows{0, 0, 0, 1, 0, 2, 1};
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto piece = slice(samples, {.start = {0, begin}, .stop = {2, begin + pieces[i]}});
    scores.push_back(model.extend(piece, cache));
    EXPECT_EQ(scores.back().shape(), (Shape{2, windows[i]})) << i;
    begin += pieces[i];
  }
  EXPECT_EQ(begin, 256);
  EXPECT_LT(max(abs(concatenate(scores, 1) - whole)).item(), 1e-14);
}

TEST(VoiceActivity, AnErrorLeavesTheStreamAsItWas) {
  const auto model = ddx::testing::filled_by_names<VoiceActivity<double>>(small);
  VoiceActivity<double>::Cache cache;
  const auto samples = named_tensor<double>("samples", {2, 128}, {});
  (void)model.extend(slice(samples, {.stop = {2, 50}}), cache);
  EXPECT_EQ(thrown<UsageError>([&] { (void)model.extend(zeros<double>({1, 200}), cache); }),
            "concatenate: parts differ beyond axis 1; shapes [2, 58] and [1, 200] (here)");
  const auto scores = model.extend(slice(samples, {.start = {0, 50}}), cache);
  EXPECT_LT(max(abs(scores - model(samples))).item(), 1e-14);
}

TEST(VoiceActivity, OfNoSamplesThereAreNoScores) {
  const VoiceActivity<double> model(small);
  EXPECT_EQ(model(zeros<double>({3, 0})).shape(), (Shape{3, 0}));
  EXPECT_EQ(model(zeros<double>({3, 1})).shape(), (Shape{3, 1}));
}

// Of 16 samples at a time: cos(2 pi k t / 16) sin^2(pi t / 16), then -sin of the same.
TEST(VoiceActivity, BeginsWithAFourierTransform) {
  const auto filter = detail::fourier_filter({.window = 32});
  ASSERT_EQ(filter.size(), 16U * 18);
  const double window = std::pow(std::sin(3 * M_PI / 16), 2);
  EXPECT_EQ(filter[0], 0);
  EXPECT_NEAR(filter[3 * 18 + 2], std::cos(2 * M_PI * 6 / 16) * window, 1e-15);
  EXPECT_NEAR(filter[3 * 18 + 9 + 8], -std::sin(2 * M_PI * 24 / 16) * window, 1e-15);
  const VoiceActivity<double> model({.window = 32, .features = 1, .inner_features = 1});
  EXPECT_EQ(model.spectrum.layer.filter.values(), filter);
}

TEST(VoiceActivity, HasThePublishedNumberOfParameters) {
  VoiceActivity<float> model;
  EXPECT_EQ(ddx::testing::parameters_of(model), 243'073U);
  std::size_t published = 0;
  for (const auto& [name, array] : published_arrays(model, name_rules(model.options))) {
    published += static_cast<std::size_t>(array.shape.count());
  }
  EXPECT_EQ(published, 309'633U);
}

TEST(VoiceActivity, MistakesAreAnError) {
  EXPECT_EQ(message_of<UsageError>([] { VoiceActivity<float>({.window = 12}); }),
            "VoiceActivity: window is 12, a multiple of 8 is required");
  EXPECT_EQ(message_of<UsageError>([] { VoiceActivity<float>({.features = 0}); }),
            "VoiceActivity: features is 0, at least 1 is required");
  const VoiceActivity<float> model(small);
  EXPECT_EQ(thrown<UsageError>([&] { (void)model(zeros<float>({8})); }),
            "VoiceActivity: the samples are [8], expected [n, samples] (here)");
  VoiceActivity<float>::Cache cache;
  EXPECT_EQ(thrown<UsageError>([&] { (void)model.extend(zeros<float>({1, 8, 1}), cache); }),
            "VoiceActivity: the samples are [1, 8, 1], expected [n, samples] (here)");
}

}  // namespace voice_activity_test
}  // namespace ddx::models
