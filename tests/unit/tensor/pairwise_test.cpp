#include "ddx/tensor/pairwise.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <source_location>

namespace ddx {
namespace {

using testing::thrown;
using Words = Tensor<std::int32_t>;

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Remainder, HasTheSignOfTheDivisor) {
  EXPECT_EQ(remainder(Words{7, -7, 7, -7, 6}, Words{3, 3, -3, -3, -3}), (Words{1, 2, -2, -1, 0}));
  for (const Device device : {Device::naive(), Device::cpu()}) {
    const auto a = Tensor<double>{5.5, -5.5, 5.5, -5.5, 4, -4}.to(device);
    EXPECT_EQ(remainder(a, Tensor<double>{2, 2, -2, -2, 2, 2}.to(device)),
              (Tensor<double>{1.5, 0.5, -0.5, -1.5, 0, 0}));
    EXPECT_EQ(remainder(a, 4.0), (Tensor<double>{1.5, 2.5, 1.5, 2.5, 0, 0}));
    EXPECT_EQ(remainder(Tensor<double>{-1, 1, 1}.to(device),
                        Tensor<double>{infinity, infinity, -infinity}.to(device)),
              (Tensor<double>{infinity, 1, -infinity}));
    EXPECT_TRUE(std::isnan(remainder(Tensor<double>(1).to(device), 0.0).item()));
  }
  EXPECT_EQ(remainder(7.0F, Tensor<float>{2, -4}), (Tensor<float>{1, -1}));
  EXPECT_EQ(remainder(Words{std::numeric_limits<std::int32_t>::min()}, -1), (Words{0}));
}

TEST(Remainder, OfIntegersByZeroIsAnError) {
  EXPECT_EQ(thrown<UsageError>([] { (void)remainder(Words{6, 7}, Words{1, 0}); }),
            "remainder: element 1 of the integer divisor is 0; shape [2] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)remainder(Words{6, 7}, Words{1, 2, 3}); }),
            "remainder: axis -1: extents 2 and 3 differ; shapes [2] and [3] (here)");
}

// 0.3 / 0.1 is rounded up to 3, although 3 times 0.1 is above 0.3: the remainder is that of 2.
TEST(Remainder, TheSlopeIsTheQuotientOfItsValue) {
  const auto where = std::source_location::current();
  const auto [da, db] = remainder_vjp(Tensor<double>{0.3, -7}, Tensor<double>{0.1, 3}, where)
                            .pullback(Tensor<double>{1, 1}, Wanted<2>::all());
  EXPECT_EQ(da, (Tensor<double>{1, 1}));
  EXPECT_EQ(db, (Tensor<double>{-2, 3}));
}

TEST(SquaredDifference, BroadcastsAndWrapsAround) {
  EXPECT_EQ(squared_difference(Tensor<float>{{1, 2}, {3, 5}}, Tensor<float>{1, 1}),
            (Tensor<float>{{0, 1}, {4, 16}}));
  EXPECT_EQ(squared_difference(Words{3, -3}, 1), (Words{4, 16}));
  EXPECT_EQ(squared_difference(Tensor<std::uint8_t>{1}, Tensor<std::uint8_t>{18}),
            (Tensor<std::uint8_t>{289 % 256}));
  EXPECT_EQ(thrown<UsageError>(
                [] { (void)squared_difference(Tensor<float>{1, 2}, Tensor<float>{1, 2, 3}); }),
            "squared_difference: axis -1: extents 2 and 3 differ; shapes [2] and [3] (here)");
}

}  // namespace
}  // namespace ddx
