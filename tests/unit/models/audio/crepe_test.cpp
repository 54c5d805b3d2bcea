// Pitches beside PyTorch: see tests/support/recorded_packaged_model.h.

#include "ddx/models/audio/crepe.h"

#include "ddx/ad/operators.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/models/audio/crepe_options.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_packaged_model.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace ddx::models {
namespace crepe_test {

using ddx::testing::message_of;
using ddx::testing::named_tensor;
using ddx::testing::thrown;

const CrepeOptions small{.features = {6, 4, 4, 4, 4, 5}, .bins = 12};

TEST(Crepe, HasTheScoresAndTheGradientOfPyTorch) {
  ddx::testing::expect_recorded_packaged_model<Crepe>(
      "crepe", small,
      [](auto number, Device device) {
        return named_tensor<decltype(number)>("frames", {2, 1024}, device);
      },
      [](const auto& model, const auto& frames) { return model(frames); },
      [](const auto& scores) { return ddx::testing::squared_probabilities(scores); });
}

TEST(Crepe, FramesAndTheirGradientsAreThoseOfTorchcrepe) {
  const auto recorded = ddx::testing::recorded_packaged_model("crepe_frames");
  for (const Device device : {Device::naive(), Device::cpu(), Device::lazy()}) {
    const auto samples = named_tensor<double>("samples", {1500}, device);
    for (const bool centered : {true, false}) {
      const auto expected = recorded.at(centered ? "centered" : "not_centered");
      const CrepeFramesOptions options{.hop = 400, .centered = centered};
      const auto frames = crepe_frames(samples, options);
      const std::int64_t count = expected.at("frames").get<std::int64_t>();
      ASSERT_EQ(frames.shape(), (Shape{count, 1024}));
      const auto column = slice(frames, {.start = {0, 700}, .stop = {count, 701}});
      ddx::testing::expect_recorded_numbers(column, expected.at("first"), 1e-12);
      const auto slope = gradient(
          [&](const Tensor<double>& sound) {
            const auto made = crepe_frames(sound, options);
            return sum(made * made * made);
          },
          samples);
      const double norm = expected.at("gradient_norm").get<double>();
      EXPECT_NEAR(std::sqrt(sum(square(slope)).item()), norm, 1e-10 * norm);
    }
  }
  EXPECT_EQ(crepe_frames(zeros<double>({0})), zeros<double>({1, 1024}));
  EXPECT_EQ(crepe_frames(zeros<double>({1024}), {.centered = false}), zeros<double>({1, 1024}));
  EXPECT_EQ(crepe_frames(zeros<BFloat16>({0})), zeros<BFloat16>({1, 1024}));
}

TEST(Crepe, PitchesAreMeansAroundTheBestBin) {
  const auto recorded = ddx::testing::recorded_packaged_model("crepe_frames");
  auto rows = (named_tensor<double>("probabilities", {3, 12}, {}) + 1.0) * 0.5;
  auto values = rows.values();
  values[12] = values[35] = 1;  // The best ones of the last two rows are at an end.
  const auto hertz = pitches(Tensor<double>({3, 12}, values));
  ASSERT_EQ(hertz.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(hertz[i], recorded.at("hertz")[i].get<double>(), 1e-12) << i;
  }
  EXPECT_TRUE(pitches(zeros<float>({0, 360})).empty());
  // A single bin: 10 * 2 ** (1997.3794084376191 / 1200).
  EXPECT_NEAR(pitches(ones<float>({1, 1}))[0], 31.70, 0.005);
}

TEST(Crepe, HasThePublishedNumberOfParameters) {
  Crepe<float> tiny(crepe_tiny_options());
  EXPECT_EQ(ddx::testing::parameters_of(tiny), 486'552U);
  std::size_t published = 0;
  for (const auto& [name, array] : published_arrays(tiny, name_rules(tiny.options))) {
    published += static_cast<std::size_t>(array.shape.count());
  }
  EXPECT_EQ(published, 487'096U);
  Crepe<float> full(crepe_full_options());
  EXPECT_EQ(ddx::testing::parameters_of(full), 22'239'976U);
}

TEST(Crepe, MistakesAreAnError) {
  EXPECT_EQ(message_of<UsageError>([] { Crepe<float>({.bins = 0}); }),
            "Crepe: bins is 0, at least 1 is required");
  EXPECT_EQ(message_of<UsageError>([] { Crepe<float>({.features = {1, 1, 0, 1, 1, 1}}); }),
            "Crepe: features is 0, at least 1 is required");
  const Crepe<float> model(small);
  EXPECT_EQ(thrown<UsageError>([&] { (void)model(zeros<float>({2, 512})); }),
            "Crepe: the frames are [2, 512], expected [n, 1024] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)crepe_frames(zeros<float>({1, 2000})); }),
            "crepe_frames: the samples are [1, 2000], expected [samples] (here)");
  EXPECT_EQ(
      thrown<UsageError>([] { (void)crepe_frames(zeros<float>({1000}), {.centered = false}); }),
      "crepe_frames: the samples are [1000], expected [samples], of which a frame takes 1024 "
      "(here)");
  EXPECT_EQ(message_of<UsageError>([] { (void)crepe_frames(zeros<float>({1000}), {.hop = 0}); }),
            "crepe_frames: hop is 0, at least 1 is required");
  EXPECT_EQ(thrown<UsageError>([] { (void)pitches(zeros<float>({3})); }),
            "pitches: the probabilities are [3], expected [n, bins] (here)");
}

}  // namespace crepe_test
}  // namespace ddx::models
