#include "ddx/tensor/arithmetic.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>

namespace ddx {
namespace arithmetic_test {

using testing::thrown;

TEST(Arithmetic, BroadcastsTensorsAndNumbers) {
  const Tensor<float> a{{1, 2}, {3, 4}};
  EXPECT_EQ(a + a, (Tensor<float>{{2, 4}, {6, 8}}));
  EXPECT_EQ((a - Tensor<float>{1, 2}), (Tensor<float>{{0, 0}, {2, 2}}));
  EXPECT_EQ(a * 2, (Tensor<float>{{2, 4}, {6, 8}}));
  EXPECT_EQ(10 - a, (Tensor<float>{{9, 8}, {7, 6}}));
  EXPECT_EQ(12 / a, (Tensor<float>{{12, 6}, {4, 3}}));
  EXPECT_EQ(-a / 2, (Tensor<float>{{-0.5, -1}, {-1.5, -2}}));
  EXPECT_EQ(1 + a, a + 1);
}

TEST(Arithmetic, IntegersWrapAround) {
  constexpr auto largest = std::numeric_limits<std::int32_t>::max();
  constexpr auto smallest = std::numeric_limits<std::int32_t>::min();
  EXPECT_EQ((Tensor<std::int32_t>{largest} + 1), (Tensor<std::int32_t>{smallest}));
  EXPECT_EQ((Tensor<std::int32_t>{smallest} / -1), (Tensor<std::int32_t>{smallest}));
  EXPECT_EQ((Tensor<std::uint8_t>{200} * 2), (Tensor<std::uint8_t>{144}));
  EXPECT_EQ((Tensor<std::int64_t>{1LL << 62} * 4), (Tensor<std::int64_t>{0}));
}

TEST(Arithmetic, IntegerDivisionByZeroIsAnError) {
  const Tensor<std::int32_t> x{6, 7};
  EXPECT_EQ((x / Tensor<std::int32_t>{-4, 2}), (Tensor<std::int32_t>{-1, 3}));
  EXPECT_EQ(thrown<UsageError>([&] { (void)(x / Tensor<std::int32_t>{1, 0}); }),
            "div: element 1 of the integer divisor is 0; shape [2]");
  EXPECT_EQ(thrown<UsageError>([&] { (void)(x / 0); }), "div: the integer divisor is 0; shape [2]");
  EXPECT_EQ(thrown<UsageError>([&] { (void)(5 / Tensor<std::int32_t>{0}); }),
            "div: element 0 of the integer divisor is 0; shape [1]");
}

TEST(Arithmetic, NamesTheOperationAndBothShapes) {
  const Tensor<float> a{{1, 2}, {3, 4}};
  const Tensor<float> b{1, 2, 3};
  EXPECT_EQ(thrown<UsageError>([&] { (void)(a + b); }),
            "add: axis -1: extents 2 and 3 differ; shapes [2, 2] and [3]");
  EXPECT_EQ(thrown<UsageError>([&] { (void)(a - b); }),
            "sub: axis -1: extents 2 and 3 differ; shapes [2, 2] and [3]");
  EXPECT_EQ(thrown<UsageError>([&] { (void)(a * b); }),
            "mul: axis -1: extents 2 and 3 differ; shapes [2, 2] and [3]");
  EXPECT_EQ(thrown<UsageError>([&] { (void)(a / b); }),
            "div: axis -1: extents 2 and 3 differ; shapes [2, 2] and [3]");
}

TEST(Arithmetic, RejectsOperandsOfDifferentDevices) {
  const Tensor<float> a({2}, {1, 2}, Device::naive());
  const Tensor<float> b({2}, {1, 2}, Device::cpu());
  EXPECT_EQ(thrown<UsageError>([&] { (void)(a + b); }),
            "add: operands lie on devices naive and cpu; shapes [2] and [2]");
  EXPECT_EQ(a + Tensor<float>(), a) << "a symbolic zero goes along with any device";
}

}  // namespace arithmetic_test
}  // namespace ddx
