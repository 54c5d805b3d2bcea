#include "ddx/models/residual_network.h"

#include "ddx/ad/operators.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/models/basic_block.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"
#include "tests/support/temporary_folder.h"

#include <cstddef>
#include <gtest/gtest.h>

namespace ddx::models {
namespace residual_network_test {

using ddx::testing::message_of;

template <class Model>
std::size_t parameters(Model model) {
  std::size_t count = 0;
  nn::visit_parameters([&](const nn::Path&, const auto& weight) { count += weight.count(); },
                       model);
  return count;
}

/// sum over layers of 9 in out, and two numbers per channel of each normalisation.
TEST(ResidualNetwork, HasTheParametersOfThePaper) {
  // The stem; per stage of 3 blocks 6 convolutions, of which the first has half the inputs.
  const std::size_t convolutions =
      9 * (3 * 16 + 6 * 16 * 16 + 16 * 32 + 5 * 32 * 32 + 32 * 64 + 5 * 64 * 64);
  const std::size_t norms = 2 * (16 + 6 * 16 + 6 * 32 + 6 * 64);
  EXPECT_EQ(parameters(ResidualNetwork<float>()), convolutions + norms + 64 * 10 + 10);
  EXPECT_EQ(parameters(ResidualNetwork<float>()), 269722U);
  // 0.85 M, table 6 of the paper.
  EXPECT_EQ(parameters(ResidualNetwork<float>({.blocks = 9})) / 10000, 85U);
}

TEST(ResidualNetwork, GivesOneScorePerClass) {
  const ResidualNetwork<float> model({.blocks = 1, .width = 4, .channels = 1, .classes = 7});
  EXPECT_EQ(model(random_normal<float>(RandomKey(1), {3, 8, 9, 1})).shape(), (Shape{3, 7}));
  EXPECT_EQ(model(random_normal<float>(RandomKey(1), {1, 1, 1, 1})).shape(), (Shape{1, 7}));
  EXPECT_THROW((void)model(random_normal<float>(RandomKey(1), {3, 8, 8, 2})), UsageError);
}

TEST(ResidualNetwork, RefusesWhatHasNoBlocks) {
  EXPECT_EQ(message_of<UsageError>([] { ResidualNetwork<float>({.blocks = 0}); }),
            "ResidualNetwork: blocks is 0, at least 1 is required");
  EXPECT_EQ(message_of<UsageError>([] { BasicBlock<float>({.in = 4, .out = 2}); }),
            "BasicBlock: out is 2, below in, which is 4");
}

/// The gradient, with normalisation by the batch and by running averages.
TEST(ResidualNetwork, GradientAgreesWithDifferences) {
  ResidualNetwork<double> model({.blocks = 2, .width = 2, .channels = 2, .classes = 3});
  nn::initialize(model, RandomKey(3));
  const auto images = random_normal<double>(RandomKey(1), {2, 6, 6, 2});
  ddx::testing::expect_gradient(model, images, 1e-5);
  nn::begin_step(model, RandomKey(2));
  ddx::testing::expect_gradient(model, images, 1e-4);
}

/// With filters of zeros only the shortcut is left: every second place, the new channels around.
TEST(BasicBlock, ShortcutThinsAndPads) {
  BasicBlock<float> block({.in = 2, .out = 5, .stride = 2});
  block.conv1.filter = zeros<float>(block.conv1.filter.shape());
  block.conv2.filter = zeros<float>(block.conv2.filter.shape());
  const auto x = random_uniform<float>(RandomKey(1), {1, 3, 4, 2});
  const auto y = block(x);
  ASSERT_EQ(y.shape(), (Shape{1, 2, 2, 5}));
  const auto from = x.elements();
  const auto to = y.elements();
  for (std::size_t row = 0; row < 2; ++row) {
    for (std::size_t column = 0; column < 2; ++column) {
      const float* const pixel = &from[(2 * row * 4 + 2 * column) * 2];
      const float* const got = &to[(row * 2 + column) * 5];
      const float expected[] = {0, pixel[0], pixel[1], 0, 0};
      for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(got[i], expected[i]) << row << ' ' << column << ' ' << i;
      }
    }
  }
}

}  // namespace residual_network_test
}  // namespace ddx::models
