#include "ddx/tensor/masking.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>

namespace ddx {
namespace masking_test {

using testing::thrown;
using Ints = Tensor<std::int32_t>;

const Tensor<float> matrix{{1, 2, 3}, {4, 5, 6}};

TEST(Nonzero, ListsPositionsInRowMajorOrder) {
  EXPECT_EQ(nonzero(Tensor<float>{{0, 2, 0}, {-1, 0, 3}}), (Ints{{0, 1}, {1, 0}, {1, 2}}));
  EXPECT_EQ(nonzero(Tensor<bool>{false, false}).shape(), (Shape{0, 1}));
  EXPECT_EQ(nonzero(Tensor<float>(5)).shape(), (Shape{1, 0}));
}

TEST(BooleanMask, KeepsSlices) {
  EXPECT_EQ(boolean_mask(matrix, Tensor<bool>{false, true}), (Tensor<float>{{4, 5, 6}}));
  EXPECT_EQ(boolean_mask(matrix, Tensor<bool>{{true, false, true}, {false, true, false}}),
            (Tensor<float>{1, 3, 5}));
  EXPECT_EQ(boolean_mask(matrix, Tensor<bool>{false, false}).shape(), (Shape{0, 3}));
  EXPECT_EQ(thrown<UsageError>([] { (void)boolean_mask(matrix, Tensor<bool>{true}); }),
            "boolean_mask: the operand does not begin with the axes of the mask; shapes [2, 3] and "
            "[1] (here)");
}

}  // namespace masking_test
}  // namespace ddx
