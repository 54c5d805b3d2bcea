#include "ddx/tensor/along_axis.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>

namespace ddx {
namespace along_axis_test {

using testing::thrown;
using Ints = Tensor<std::int32_t>;

const Tensor<float> matrix{{1, 2, 3}, {4, 5, 6}};

TEST(TakeAlongAxis, ChoosesOneElementPerPlace) {
  EXPECT_EQ(take_along_axis(matrix, Ints{{2, 0}, {1, 1}}), (Tensor<float>{{3, 1}, {5, 5}}));
  EXPECT_EQ(take_along_axis(matrix, Ints{{1, 0, 1}}, 0), (Tensor<float>{{4, 2, 6}}));
}

TEST(TakeAlongAxis, RejectsWhatDoesNotFit) {
  EXPECT_EQ(thrown<UsageError>([] { (void)take_along_axis(matrix, Ints({1, 1}, {0})); }),
            "take_along_axis: the indices differ beyond axis 1; shapes [2, 3] and [1, 1] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)take_along_axis(matrix, Ints{0, 1}); }),
            "take_along_axis: the indices differ beyond axis 1; shapes [2, 3] and [2] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)take_along_axis(matrix, Ints({2, 1}, {0, 3})); }),
            "take_along_axis: index 3 at position 1 is not in [0, 3) (here)");
}

}  // namespace along_axis_test
}  // namespace ddx
