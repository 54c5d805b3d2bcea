#include "ddx/tensor/ranges.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>

namespace ddx {
namespace ranges_test {

using testing::thrown;
using Ints = Tensor<std::int32_t>;

const Tensor<float> matrix{{1, 2, 3}, {4, 5, 6}};

TEST(Arange, EndsBeforeItsStop) {
  EXPECT_EQ(arange<std::int32_t>(2, 9, 3), (Ints{2, 5, 8}));
  EXPECT_EQ(arange<std::int32_t>(2, 8, 3), (Ints{2, 5}));
  EXPECT_EQ(arange<std::int32_t>(3, 0, -1), (Ints{3, 2, 1}));
  EXPECT_EQ(arange(0.0, 1.0, 0.25), (Tensor<double>{0, 0.25, 0.5, 0.75}));
  EXPECT_EQ(arange<std::int32_t>(3, 0).shape(), (Shape{0}));
  EXPECT_EQ(thrown<UsageError>([] { (void)arange(0.0, 1.0, 0.0); }),
            "arange: there is no end from 0.000000 to 1.000000 in steps of 0.000000 (here)");
}

TEST(Linspace, MeetsBothEnds) {
  EXPECT_EQ(linspace(1.0, 3.0, 5), (Tensor<double>{1, 1.5, 2, 2.5, 3}));
  const auto tenths = linspace(0.1F, 0.7F, 8);
  EXPECT_EQ(tenths[{0}], 0.1F);
  EXPECT_EQ(tenths[{-1}], 0.7F);
  EXPECT_EQ(linspace(4.0, 9.0, 1), (Tensor<double>{4}));
  EXPECT_EQ(linspace(4.0, 9.0, 0).shape(), (Shape{0}));
  EXPECT_EQ(thrown<UsageError>([] { (void)linspace(0.0, 1.0, -1); }),
            "linspace: count -1 is negative (here)");
}

}  // namespace ranges_test
}  // namespace ddx
