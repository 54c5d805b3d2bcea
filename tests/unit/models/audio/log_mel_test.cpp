// Spectrograms beside those of transformers, recorded by tests/goldens/make_text_models.py.

#include "ddx/models/audio/log_mel.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/named_numbers.h"
#include "tests/support/thrown.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <vector>

namespace ddx::models {
namespace log_mel_test {

// Noise, and silence behind it, whose bands are 8 below the loudest one.
TEST(LogMel, IsThatOfTransformers) {
  std::ifstream file(std::filesystem::path(DDX_GOLDENS) / "text_models.json");
  const auto expected =
      nlohmann::json::parse(file).at("log_mel").at("spectrogram").get<std::vector<double>>();
  auto sound = ddx::testing::named_numbers("sound", 1600);
  std::fill(sound.begin() + 900, sound.end(), 0);
  for (const Device device : {Device::naive(), Device::cpu(), Device::lazy()}) {
    const Tensor<double> samples({1, 1600}, sound, device);
    const auto spectrogram = log_mel(samples);
    ASSERT_EQ(spectrogram.shape(), (Shape{1, 10, 80}));
    const auto values = spectrogram.values();
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_NEAR(values[i], expected[i], 1e-9) << i;
    }
  }
}

TEST(LogMel, MistakesAreAnError) {
  using ddx::testing::thrown;
  EXPECT_EQ(thrown<UsageError>([] { (void)log_mel(zeros<float>({1, 200})); }),
            "log_mel: shape [1, 200] is not [n, samples] of more than 200 samples (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)log_mel(zeros<float>({1, 800}), {.hop = 0}); }),
            "log_mel: hop is 0, at least 1 is required");
}

}  // namespace log_mel_test
}  // namespace ddx::models
