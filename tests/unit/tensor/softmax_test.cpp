#include "ddx/tensor/softmax.h"

#include "ddx/core/error.h"
#include "ddx/tensor/closeness.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>

namespace ddx {
namespace softmax_test {

using testing::thrown;

// Adding a number to all scores changes nothing, however large: the steps of float at 2^20 are 1/8,
// so these scores are exact.
TEST(Softmax, IsStableForLargeScores) {
  constexpr float far = 1048576;
  for (const auto device : {Device::naive(), Device::cpu()}) {
    const auto near = Tensor<float>{{0, 1.5F, -2}}.to(device);
    const auto moved = near + far;
    const auto labels = Tensor<std::int32_t>{1}.to(device);
    const Tolerance tight{.relative = 1e-6, .absolute = 1e-7};
    EXPECT_TRUE(all_close(softmax(moved), softmax(near), tight)) << to_string(device);
    EXPECT_TRUE(all_close(log_softmax(moved), log_softmax(near), tight)) << to_string(device);
    EXPECT_NEAR(softmax_cross_entropy(moved, labels).item(),
                softmax_cross_entropy(near, labels).item(), 1e-6)
        << to_string(device);
    EXPECT_TRUE(all_close(softmax(Tensor<float>{1000, 1000}.to(device)),
                          Tensor<float>{0.5, 0.5}.to(device)));
    EXPECT_TRUE(all_close(log_softmax(Tensor<double>{-1000, 0}.to(device)),
                          Tensor<double>{-1000, 0}.to(device)));
  }
}

// Softmax of (log 1, log 3) is (1/4, 3/4).
TEST(CrossEntropy, IsTheMeanOverTheRows) {
  const Tensor<double> logits{{0, std::log(3.0)}, {0, std::log(3.0)}};
  const Tensor<std::int32_t> labels{0, 1};
  EXPECT_NEAR(softmax_cross_entropy(logits, labels).item(), (std::log(4.0) + std::log(4.0 / 3)) / 2,
              1e-14);
  EXPECT_TRUE(all_close(softmax_cross_entropy_per_row(logits, labels),
                        Tensor<double>{std::log(4.0), std::log(4.0 / 3)}));
}

// Two equal logits share the probability, however large they are: 1e15 + log 2 is rounded to
// eighths in f64.
TEST(Softmax, EqualLogitsShareEquallyHoweverLarge) {
  for (const Device device : {Device::naive(), Device::cpu(), Device::lazy()}) {
    const auto logits = Tensor<double>({1, 2}, {1e15, 1e15}, device);
    const Tensor<std::int32_t> labels({1}, {1}, device);
    const Tolerance tight{.relative = 1e-14};
    EXPECT_TRUE(all_close(softmax(logits), Tensor<double>({1, 2}, {0.5, 0.5}, device), tight));
    EXPECT_TRUE(all_close(log_softmax(logits),
                          Tensor<double>({1, 2}, {-std::log(2.0), -std::log(2.0)}, device), tight));
    EXPECT_NEAR(softmax_cross_entropy(logits, labels).item(), std::log(2.0), 1e-14);
    const Tensor<double> dy(1.0, device);
    EXPECT_TRUE(all_close(softmax_cross_entropy_vjp(logits, labels, {}).pullback(dy),
                          Tensor<double>({1, 2}, {0.5, -0.5}, device), tight));
  }
}

TEST(Softmax, NamesWhatDoesNotFit) {
  const auto x = zeros<float>({2, 3});
  EXPECT_EQ(thrown<UsageError>([&] { (void)softmax(x, 2); }),
            "softmax: axis 2 is not in [-2, 2); shape [2, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)log_softmax(x, -3); }),
            "log_softmax: axis -3 is not in [-2, 2); shape [2, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)softmax_cross_entropy(x, Tensor<std::int32_t>{1}); }),
            "softmax_cross_entropy: rows 2 and 1 differ; shapes [2, 3] and [1] (here)");
  EXPECT_EQ(
      thrown<UsageError>([&] { (void)softmax_cross_entropy(x, zeros<std::int32_t>({2, 1})); }),
      "softmax_cross_entropy: ranks 2 and 2 are not 2 and 1; shapes [2, 3] and [2, 1] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)softmax_cross_entropy(x, Tensor<std::int32_t>{0, 3}); }),
            "softmax_cross_entropy: label 3 at position 1 is not in [0, 3) (here)");
}

}  // namespace softmax_test
}  // namespace ddx
