// GPT-2 beside that of transformers: see tests/support/recorded_text_model.h.

#include "ddx/models/text/gpt2.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_devices.h"
#include "tests/support/recorded_text_model.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>

namespace ddx::models {
namespace gpt2_test {

using ddx::testing::message_of;

TEST(GPT2, HasTheLossTheGradientAndTheTokensOfTransformers) {
  for (const Device device : ddx::testing::model_devices()) {
    ddx::testing::expect_recorded_model<GPT2<double>>("gpt2", device);
    ddx::testing::expect_recorded_continuation<GPT2<double>>("gpt2", device);
  }
}

TEST(GPT2, IsTheSameInSinglePrecision) {
  ddx::testing::expect_equal_in_f32<GPT2<float>, GPT2<double>>("gpt2");
}

TEST(GPT2, HasNoHeadOfItsOwn) {
  std::size_t count = 0;
  GPT2<float> model({.vocabulary = 5, .context = 6, .blocks = 2, .features = 4, .heads = 2});
  nn::visit_parameters([&](const nn::Path&, const auto& weight) { count += weight.count(); },
                       model);
  // With d features a block has 12 d^2 + 13 d.
  EXPECT_EQ(count, 2U * (12 * 16 + 13 * 4) + 5 * 4 + 6 * 4 + 2 * 4);
  EXPECT_THROW((void)model(Tensor<std::int32_t>{{0, 1, 2, 3, 4, 0, 1}}), UsageError);
  EXPECT_EQ(message_of<UsageError>(
                [] { GPT2<float>({.vocabulary = 5, .blocks = 0, .features = 4, .heads = 2}); }),
            "GPT2: blocks is 0, at least 1 is required");
}

}  // namespace gpt2_test
}  // namespace ddx::models
