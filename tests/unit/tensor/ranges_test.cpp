#include "ddx/tensor/ranges.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>

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

// 2^53 + 1 is no double, and the number of steps from one end of i64 to the other no i64.
TEST(Arange, CountsIntegersOf64BitsExactly) {
  using Wide = Tensor<std::int64_t>;
  constexpr std::int64_t beyond = (std::int64_t{1} << 53) + 1;
  constexpr auto greatest = std::numeric_limits<std::int64_t>::max();
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(arange<std::int64_t>(beyond, beyond + 2), (Wide{beyond, beyond + 1}));
  EXPECT_EQ(arange<std::int64_t>(beyond, beyond - 3, -2), (Wide{beyond, beyond - 2}));
  EXPECT_EQ(arange<std::int64_t>(greatest - 2, greatest), (Wide{greatest - 2, greatest - 1}));
  EXPECT_EQ(arange<std::int64_t>(least, greatest, greatest), (Wide{least, -1, greatest - 1}));
  EXPECT_EQ(arange<std::int64_t>(greatest, least, least), (Wide{greatest, -1}));
  EXPECT_EQ(arange<std::uint64_t>(~std::uint64_t{0} - 2, ~std::uint64_t{0}),
            (Tensor<std::uint64_t>{~std::uint64_t{0} - 2, ~std::uint64_t{0} - 1}));
  EXPECT_EQ(arange<std::int64_t>(greatest, least).shape(), (Shape{0}));
  EXPECT_THROW((void)arange<std::int64_t>(least, greatest), UsageError);
  EXPECT_THROW((void)arange<std::int64_t>(0, 1, 0), UsageError);
}

// f16 has no number from 2048 to 2050, and none beyond 65504; bf16 none from 256 to 258.
TEST(Ranges, Of16BitsCountBeyondTheirNumbers) {
  const auto half = cast<float>(linspace<Half>(0, 1, 70001));
  EXPECT_EQ(half[{35000}], 0.5F);
  EXPECT_EQ(half[{-1}], 1);
  const auto steps = cast<float>(arange<Half>(-60000, 60000, 16));
  EXPECT_EQ(steps.shape(), (Shape{7500}));
  EXPECT_EQ(steps[{3750}], 0);
  EXPECT_EQ(steps[{-1}], 59968);
  const auto brain = cast<float>(linspace<BFloat16>(0, 512, 1025));
  EXPECT_EQ(brain[{513}], 256);  // Of 256.5.
  EXPECT_EQ(brain[{1000}], 500);
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
