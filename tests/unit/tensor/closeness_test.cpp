#include "ddx/tensor/closeness.h"

#include "ddx/tensor/tensor.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace ddx {
namespace {

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

}  // namespace
}  // namespace ddx
