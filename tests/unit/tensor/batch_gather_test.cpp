#include "ddx/tensor/batch_gather.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>

namespace ddx {
namespace batch_gather_test {

using testing::thrown;
using Ints = Tensor<std::int32_t>;

const Tensor<float> matrix{{1, 2, 3}, {4, 5, 6}};

TEST(BatchGather, TakesEachBatchItsOwn) {
  EXPECT_EQ(batch_gather(matrix, Ints{{2, 0}, {1, 1}}), (Tensor<float>{{3, 1}, {5, 5}}));
  const Tensor<float> planes{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
  EXPECT_EQ(batch_gather(planes, Ints{1, 0}, 1), (Tensor<float>{{3, 4}, {5, 6}}));
  EXPECT_EQ(batch_gather(planes, Ints{{0, 1}, {1, 0}}, 2), (Tensor<float>{{1, 4}, {6, 7}}));
  EXPECT_EQ(batch_gather(matrix, Ints{1}, 0), (Tensor<float>{{4, 5, 6}}));
}

TEST(BatchGather, RejectsWhatDoesNotFit) {
  EXPECT_EQ(thrown<UsageError>([] { (void)batch_gather(matrix, Ints({1, 1}, {0}), 1); }),
            "batch_gather: the operands do not share 1 batch axes with an axis after them; shapes "
            "[2, 3] and [1, 1] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)batch_gather(matrix, Ints({1, 1}, {0}), -1); }),
            "batch_gather: the operands do not share -1 batch axes with an axis after them; shapes "
            "[2, 3] and [1, 1] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)batch_gather(matrix, Ints({2, 1}, {0, 3})); }),
            "batch_gather: index 3 at position 1 is not in [0, 3) (here)");
}

}  // namespace batch_gather_test
}  // namespace ddx
