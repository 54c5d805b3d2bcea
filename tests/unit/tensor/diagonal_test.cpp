#include "ddx/tensor/diagonal.h"

#include "ddx/backend/lazy.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>

namespace ddx {
namespace diagonal_test {

using testing::thrown;
using Ints = Tensor<std::int32_t>;

const Tensor<float> matrix{{1, 2, 3}, {4, 5, 6}};

const Tensor<float> square{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};

TEST(Eye, HasOnesOnItsDiagonal) {
  EXPECT_EQ(eye<std::int32_t>(2), (Ints{{1, 0}, {0, 1}}));
  EXPECT_EQ(eye<float>(2, 3), (Tensor<float>{{1, 0, 0}, {0, 1, 0}}));
  EXPECT_EQ(eye<float>(3, 2), (Tensor<float>{{1, 0}, {0, 1}, {0, 0}}));
}

TEST(Diagonal, IsTakenAndMade) {
  EXPECT_EQ(diagonal_part(matrix), (Tensor<float>{1, 5}));
  EXPECT_EQ(diagonal_part(square), (Tensor<float>{1, 5, 9}));
  EXPECT_EQ(diagonal_part(Tensor<float>{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}),
            (Tensor<float>{{1, 4}, {5, 8}}));
  EXPECT_EQ(diagonal(Tensor<float>{1, INFINITY}), (Tensor<float>{{1, 0}, {0, INFINITY}}));
  EXPECT_EQ(diagonal(Tensor<float>{{1, 2}, {3, 4}}),
            (Tensor<float>{{{1, 0}, {0, 2}}, {{3, 0}, {0, 4}}}));
  EXPECT_EQ(with_diagonal(square, Tensor<float>{0, 0, 1}),
            (Tensor<float>{{0, 2, 3}, {4, 0, 6}, {7, 8, 1}}));
  EXPECT_EQ(trace(square).item(), 15);
  EXPECT_EQ(thrown<UsageError>([] { (void)diagonal_part(Tensor<float>{1}); }),
            "diagonal_part: the operand is no matrix; shape [1] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)with_diagonal(matrix, Tensor<float>{1, 2}); }),
            "with_diagonal: the matrices are not square; shape [2, 3] (here)");
}

TEST(BandPart, KeepsSomeDiagonals) {
  EXPECT_EQ(band_part(square, -1, 0), (Tensor<float>{{1, 0, 0}, {4, 5, 0}, {7, 8, 9}}));
  EXPECT_EQ(band_part(square, 0, -1), (Tensor<float>{{1, 2, 3}, {0, 5, 6}, {0, 0, 9}}));
  EXPECT_EQ(band_part(square, 1, 0), (Tensor<float>{{1, 0, 0}, {4, 5, 0}, {0, 8, 9}}));
  EXPECT_EQ(band_part(matrix, 0, 0), (Tensor<float>{{1, 0, 0}, {0, 5, 0}}));
}

TEST(BandPart, RunsNothingThatIsRecorded) {
  const Device device = Device::lazy();
  const auto sum = Tensor<float>({{1, 2}, {3, 4}}, device) + 1.0F;
  const auto before = backend::lazy_statistics().flushes;
  const auto lower = band_part(sum, -1, 0);
  EXPECT_EQ(backend::lazy_statistics().flushes, before);
  EXPECT_EQ(lower, (Tensor<float>({{2, 0}, {4, 5}}, device)));
}

}  // namespace diagonal_test
}  // namespace ddx
