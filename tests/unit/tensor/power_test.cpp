#include "ddx/tensor/power.h"

#include "ddx/core/error.h"
#include "ddx/tensor/closeness.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>

namespace ddx {
namespace power_test {

using testing::thrown;
using Words = Tensor<std::int32_t>;

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Power, TakesNumbersOnEitherSide) {
  EXPECT_EQ(pow(Tensor<double>{4, 0.25}, 0.5), (Tensor<double>{2, 0.5}));
  EXPECT_EQ(pow(2.0, Tensor<double>{-1, 0, 10}), (Tensor<double>{0.5, 1, 1024}));
  EXPECT_EQ(pow(Tensor<float>{-2, 3}, 3), (Tensor<float>{-8, 27}));
  EXPECT_EQ(pow(Tensor<float>{-2, 4}, -1), (Tensor<float>{-0.5, 0.25}));
  EXPECT_EQ(pow(Tensor<float>{-2, 3}, 2), (Tensor<float>{4, 9}));
  EXPECT_EQ(pow(Tensor<double>{0, -7}, 0), (Tensor<double>{1, 1}));
}

TEST(Power, OfIntegersWrapsAround) {
  EXPECT_EQ(pow(Words{-3, 10, 2}, 5), (Words{-243, 100000, 32}));
  EXPECT_EQ(pow(Words{0, 7}, 0), (Words{1, 1}));
  EXPECT_EQ(pow(Words{2, 3}, 40U), (Words{0, 689956897}));  // 3^40 = 2830677074 * 2^32 + 689956897.
  EXPECT_EQ(thrown<UsageError>([] { (void)pow(Words{1, 2}, -1); }),
            "pow: the exponent -1 of integers is negative; shape [2] (here)");
}

TEST(Root, OfNegativeNumbersDependsOnItsNumber) {
  const Tolerance tight{.relative = 1e-15, .absolute = 0};
  EXPECT_TRUE(all_close(root(Tensor<double>{8, -27, 0}, 3), Tensor<double>{2, -3, 0}, tight));
  EXPECT_TRUE(all_close(root(Tensor<double>{16, 0}, 4), Tensor<double>{2, 0}, tight));
  EXPECT_EQ(root(Tensor<double>{9, 16}, 2), (Tensor<double>{3, 4}));
  EXPECT_EQ(root(Tensor<double>{-9, 16}, 1), (Tensor<double>{-9, 16}));
  EXPECT_TRUE(std::isnan(root(Tensor<double>(-16), 4).item()));
  EXPECT_EQ(thrown<UsageError>([] { (void)root(Tensor<double>{1, 2}, 0); }),
            "root: the number 0 of the root is not positive (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)root(Tensor<double>{1, 2}, -3); }),
            "root: the number -3 of the root is not positive (here)");
}

// d/dx x^(1/3) = 1 / (3 x^(2/3)): 1/12 at 8 and at -8, infinite at 0.
TEST(Root, SlopesAreInfiniteAtZero) {
  EXPECT_TRUE(
      all_close(detail::odd_root_vjp(Tensor<double>{8, -8, 0}, 3).pullback(Tensor<double>{1, 1, 1}),
                Tensor<double>{1.0 / 12, 1.0 / 12, infinity}));
}

}  // namespace power_test
}  // namespace ddx
