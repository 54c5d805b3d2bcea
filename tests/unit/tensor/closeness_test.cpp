#include "ddx/tensor/closeness.h"

#include "ddx/core/error.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace ddx {
namespace closeness_test {

TEST(AllClose, AllowsRoundingAndNoMore) {
  const Tensor<double> x{1, 100};
  EXPECT_TRUE(all_close(x, Tensor<double>{1.000005, 100.0005}));
  EXPECT_FALSE(all_close(x, Tensor<double>{1.00002, 100}));
  EXPECT_FALSE(all_close(x, Tensor<double>({2, 1}, {1, 100})));
  EXPECT_TRUE(all_close(x, Tensor<double>{2, 101}, {.relative = 0, .absolute = 1}));
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(all_close(Tensor<double>(infinity), Tensor<double>(infinity)));
  EXPECT_FALSE(all_close(Tensor<double>(1), Tensor<double>(infinity)));
  EXPECT_FALSE(all_close(Tensor<double>(infinity), Tensor<double>(1)));
  EXPECT_FALSE(all_close(Tensor<double>(NAN), Tensor<double>(NAN)));
}

TEST(IsClose, TellsElementByElement) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Tensor<double> a{1, 1, infinity, 1, NAN, -infinity, infinity};
  const Tensor<double> b{1.000005, 1.00002, infinity, infinity, NAN, infinity, 1};
  EXPECT_EQ(is_close(a, b), (Tensor<bool>{true, false, true, false, false, false, false}));
  EXPECT_EQ(is_close(a, Tensor<double>(2), {.relative = 0.5, .absolute = 0}),
            (Tensor<bool>{true, true, false, true, false, false, false}));
  EXPECT_EQ(testing::thrown<UsageError>([&] { (void)is_close(a, Tensor<double>{1, 2}); }),
            "equal: axis -1: extents 7 and 2 differ; shapes [7] and [2] (here)");
}

}  // namespace closeness_test
}  // namespace ddx
