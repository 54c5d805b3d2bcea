// Notes beside PyTorch: see tests/support/recorded_packaged_model.h.

#include "ddx/models/audio/note_transcriber.h"

#include "ddx/ad/operators.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/models/audio/constant_q.h"
#include "ddx/models/audio/note_transcriber_options.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_packaged_model.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace ddx::models {
namespace note_transcriber_test {

using ddx::testing::message_of;
using ddx::testing::named_tensor;
using ddx::testing::thrown;

const NoteTranscriberOptions small{
    .lowest = 8000, .octaves = 3, .bins = 80, .kernel = 64, .hop = 16, .notes = 20};

template <FloatingScalar Scalar>
Tensor<Scalar> all_scores(const NoteScores<Scalar>& scores) {
  return concatenate(std::vector{scores.contours, scores.notes, scores.onsets}, 2);
}

TEST(NoteTranscriber, HasTheScoresAndTheGradientOfPyTorch) {
  ddx::testing::expect_recorded_packaged_model<NoteTranscriber>(
      "note_transcriber", small,
      [](auto number, Device device) {
        return named_tensor<decltype(number)>("samples", {1, 140}, device);
      },
      [](const auto& model, const auto& samples) { return all_scores(model(samples)); },
      [](const auto& scores) { return ddx::testing::squared_probabilities(scores); });
}

TEST(NoteTranscriber, HasTheGradientByTheSamplesOfPyTorch) {
  const auto model = ddx::testing::filled_by_names<NoteTranscriber<double>>(small);
  const auto slope = gradient(
      [&](const Tensor<double>& samples) {
        return ddx::testing::squared_probabilities(all_scores(model(samples)));
      },
      named_tensor<double>("samples", {1, 140}, {}));
  const double expected = ddx::testing::recorded_packaged_model("note_transcriber")
                              .at("samples_gradient_norm")
                              .get<double>();
  EXPECT_NEAR(std::sqrt(sum(square(slope)).item()), expected, 1e-9 * expected);
}

// The bin of a sine is the strongest one.
TEST(ConstantQ, HearsTheirPitches) {
  const ConstantQ<double> transform(NoteTranscriberOptions{});
  for (const std::int64_t bin : {150, 250, 300}) {
    std::vector<double> samples;
    for (int i = 0; i < 33024; ++i) {
      samples.push_back(
          std::sin(2 * M_PI * 27.5 * std::exp2(static_cast<double>(bin) / 36) * i / 22050));
    }
    const auto powers = transform(Tensor<double>({1, 33024}, samples));
    ASSERT_EQ(powers.shape(), (Shape{1, 130, 309}));
    const auto frame = slice(powers, {.start = {0, 64, 0}, .stop = {1, 65, 309}}).values();
    EXPECT_EQ(std::max_element(frame.begin(), frame.end()) - frame.begin(), bin);
    // Half of the sine is at the frequency, and the window's sum is 1: a quarter, times its length.
    const double length = std::ceil(22050 / (std::exp2(1.0 / 36) - 1) /
                                    (27.5 * std::exp2(static_cast<double>(bin) / 36)));
    EXPECT_NEAR(frame[static_cast<std::size_t>(bin)] / length, 0.25, 0.005);
  }
}

TEST(NoteTranscriber, SilenceIsAsWeakAsItIsStrong) {
  const auto expect_finite = [](auto number) {
    using Scalar = decltype(number);
    const NoteTranscriber<Scalar> model(small);
    for (const Scalar score : all_scores(model(zeros<Scalar>({1, 140}))).values()) {
      EXPECT_TRUE(std::isfinite(static_cast<float>(score)));
    }
  };
  expect_finite(float{});
  expect_finite(BFloat16{});
}

TEST(NoteTranscriber, HasThePublishedNumberOfParameters) {
  NoteTranscriber<float> model;
  std::size_t published = 0;
  for (const auto& [name, array] : published_arrays(model, name_rules(model.options))) {
    published += static_cast<std::size_t>(array.shape.count());
  }
  const std::size_t fixed = 2 * 36 * 256 + 256 + 309;
  EXPECT_EQ(ddx::testing::parameters_of(model), published - fixed);
  // wide_contour, contour, wide_note, note, wide_onset, onset, scale and offset.
  EXPECT_EQ(published - fixed, 7496U + 201 + 1600 + 673 + 6432 + 298 + 2);
}

TEST(NoteTranscriber, MistakesAreAnError) {
  const auto error = [](const NoteTranscriberOptions& options) {
    return message_of<UsageError>([&] { NoteTranscriber<float>{options}; });
  };
  EXPECT_EQ(error({.octaves = 0}), "NoteTranscriber: octaves is 0, at least 1 is required");
  EXPECT_EQ(error({.octaves = 8}),
            "NoteTranscriber: 8 octaves of 36 bins for 309 bins, at most 20 are supported");
  EXPECT_EQ(error({.bins = 263}), "NoteTranscriber: bins is 263, at least 264 is required");
  EXPECT_EQ(error({.kernel = 255}), "NoteTranscriber: kernel is 255, an even number is required");
  EXPECT_EQ(error({.kernel = 200}), "NoteTranscriber: kernel is 200, at least 216 is required");
  EXPECT_EQ(error({.hop = 128}), "NoteTranscriber: hop is 128, a multiple of 256 is required");
  EXPECT_EQ(error({.rate = 0}), "NoteTranscriber: rate is 0, expected a finite number above 0");
  const NoteTranscriber<float> model(small);
  EXPECT_EQ(thrown<UsageError>([&] { (void)model(zeros<float>({1, 131})); }),
            "ConstantQ: the samples are [1, 131], expected [n, samples] of at least 132 samples "
            "(here)");
}

}  // namespace note_transcriber_test
}  // namespace ddx::models
