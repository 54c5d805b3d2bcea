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
namespace pairwise_test {

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

// Quotient and rest of both pairs, as NumPy's floor_divide, mod and fmod and C++'s / give them.
TEST(FloorDivide, AndRemainderGiveTheDividendBack) {
  constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
  const Words a{7, -7, 7, -7, 6, least, least};
  const Words b{3, 3, -3, -3, -3, 3, 2};
  for (const Device device : {Device::naive(), Device::cpu(), Device::lazy()}) {
    const auto x = a.to(device);
    const auto y = b.to(device);
    EXPECT_EQ(floor_divide(x, y), (Words{2, -3, -3, 2, -2, -715827883, least / 2})) << device;
    EXPECT_EQ(floor_divide(x, y) * y + remainder(x, y), a) << device;
    EXPECT_EQ(x / y, (Words{2, -2, -2, 2, -2, -715827882, least / 2})) << device;
    EXPECT_EQ(fmod(x, y), (Words{1, -1, 1, -1, 0, -2, 0})) << device;
    EXPECT_EQ((x / y) * y + fmod(x, y), a) << device;
    EXPECT_EQ(fmod(Words{least}.to(device), -1), (Words{0})) << device;
    EXPECT_EQ(floor_divide(Words{least}.to(device), -1), (Words{least})) << device;
    EXPECT_EQ(floor_divide(7, Words{2, -2}.to(device)), (Words{3, -4})) << device;
  }
  EXPECT_EQ(floor_divide(Tensor<std::uint8_t>{200, 7}, std::uint8_t{3}),
            (Tensor<std::uint8_t>{66, 2}));
}

// 1 // 0.1 is 9 in Python: 0.1 is above a tenth, although 1 / 0.1 rounds to 10.
TEST(FloorDivide, RoundsTheExactQuotientDown) {
  for (const Device device : {Device::naive(), Device::cpu(), Device::lazy()}) {
    const auto quotient = [&](double a, double b) {
      return floor_divide(Tensor<double>(a, device), Tensor<double>(b, device)).item();
    };
    EXPECT_EQ(quotient(1, 0.1), 9) << device;
    EXPECT_EQ(quotient(-5.5, 2), -3) << device;
    EXPECT_EQ(quotient(5.5, -2), -3) << device;
    EXPECT_EQ(quotient(-1, infinity), -1) << device;
    EXPECT_EQ(quotient(1, 0), infinity) << device;
    EXPECT_TRUE(std::isnan(quotient(infinity, 2))) << device;
    EXPECT_TRUE(std::signbit(quotient(-0.0, 2))) << device;
    EXPECT_EQ(
        fmod(Tensor<double>{5.5, -5.5, 1}.to(device), Tensor<double>{2, 2, -infinity}.to(device)),
        (Tensor<double>{1.5, -1.5, 1}))
        << device;
  }
}

TEST(FloorDivide, OfIntegersByZeroIsAnError) {
  EXPECT_EQ(thrown<UsageError>([] { (void)floor_divide(Words{6, 7}, Words{1, 0}); }),
            "floor_divide: element 1 of the integer divisor is 0; shape [2] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)fmod(Words{6, 7}, 0); }),
            "fmod: element 0 of the integer divisor is 0; shape [] (here)");
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

}  // namespace pairwise_test
}  // namespace ddx
