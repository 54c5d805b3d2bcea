#include "ddx/tensor/padding.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace ddx {
namespace padding_test {

using testing::thrown;
using Ints = Tensor<std::int32_t>;

const Tensor<float> matrix{{1, 2, 3}, {4, 5, 6}};

TEST(PadWith, TakesBordersFromTheElements) {
  const Ints x{1, 2, 3};
  EXPECT_EQ(pad_with(x, {2}, {2}, PadMode::Reflect), (Ints{3, 2, 1, 2, 3, 2, 1}));
  EXPECT_EQ(pad_with(x, {2}, {3}, PadMode::Symmetric), (Ints{2, 1, 1, 2, 3, 3, 2, 1}));
  EXPECT_EQ(pad_with(x, {1}, {2}, PadMode::Edge), (Ints{1, 1, 2, 3, 3, 3}));
  EXPECT_EQ(pad_with(x, {1}, {2}, PadMode::Wrap), (Ints{3, 1, 2, 3, 1, 2}));
  EXPECT_EQ(pad_with(Ints{{1, 2}, {3, 4}}, {1, 0}, {0, 1}, PadMode::Reflect),
            (Ints{{3, 4, 3}, {1, 2, 1}, {3, 4, 3}}));
}

TEST(PadWith, RejectsBordersThatThereIsNothingFor) {
  const Ints x{1, 2, 3};
  EXPECT_EQ(thrown<UsageError>([&] { (void)pad_with(x, {3}, {0}, PadMode::Reflect); }),
            "pad_with: a border of 3 is more than axis 0 can repeat; shape [3] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)pad_with(x, {0}, {4}, PadMode::Symmetric); }),
            "pad_with: a border of 4 is more than axis 0 can repeat; shape [3] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)pad_with(x, {0}, {4}, PadMode::Wrap); }),
            "pad_with: a border of 4 is more than axis 0 can repeat; shape [3] (here)");
  EXPECT_EQ(thrown<UsageError>([] {
              (void)pad_with(Ints({0}, std::vector<std::int32_t>()), {1}, {0}, PadMode::Edge);
            }),
            "pad_with: a border of 1 is more than axis 0 can repeat; shape [0] (here)");
  EXPECT_EQ(pad_with(Ints({0}, std::vector<std::int32_t>()), {0}, {0}, PadMode::Reflect).shape(),
            (Shape{0}));
  EXPECT_EQ(thrown<UsageError>([&] { (void)pad_with(x, {-1}, {0}, PadMode::Edge); }),
            "pad_with: amounts [-1] and [0] are negative on axis 0; shape [3] (here)");
}

}  // namespace padding_test
}  // namespace ddx
