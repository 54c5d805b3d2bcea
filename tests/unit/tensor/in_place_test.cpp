#include "ddx/tensor/in_place.h"

#include "ddx/backend/memory_statistics.h"
#include "ddx/core/error.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace ddx {
namespace in_place_test {

using testing::thrown;

TEST(InPlace, AnUnsharedTensorKeepsItsStorage) {
  Tensor<float> a{1, 2, 3};
  const Tensor<float> b{10, 20, 30};
  const float* storage = a.elements().data();
  a += b;
  EXPECT_EQ(a, (Tensor<float>{11, 22, 33}));
  a -= 2 * b;
  EXPECT_EQ(a, (Tensor<float>{-9, -18, -27}));
  a *= Tensor<float>(2);
  EXPECT_EQ(a, (Tensor<float>{-18, -36, -54}));
  EXPECT_EQ(a.elements().data(), storage);
  a = add_scaled(std::move(a), 0.5F, b);
  EXPECT_EQ(a, (Tensor<float>{-13, -26, -39}));
  EXPECT_EQ(a.elements().data(), storage);
}

TEST(InPlace, AnUnsharedTensorTakesNoMemory) {
  Tensor<float> a({300, 400}, std::vector<float>(120000, 2));
  const Tensor<float> b({300, 400}, std::vector<float>(120000, 3));
  const Tensor<float> row({400}, std::vector<float>(400, 1));
  const auto before = backend::memory_statistics();
  a += b;
  a -= row;
  a *= b;
  a /= b;
  a += 2;
  a -= 1;
  a *= 3;
  a /= 5;
  const auto after = backend::memory_statistics();
  EXPECT_EQ(after.allocations, before.allocations);
  EXPECT_EQ(after.in_use, before.in_use);
  EXPECT_EQ(a, Tensor<float>({300, 400}, std::vector<float>(120000, 3)));
}

TEST(InPlace, AFailedDivisionLeavesTheTensor) {
  Tensor<std::int32_t> a{4, 6};
  EXPECT_EQ(thrown<UsageError>([&] { a /= (Tensor<std::int32_t>{2, 0}); }),
            "div: element 1 of the integer divisor is 0; shape [2]");
  EXPECT_EQ(a, (Tensor<std::int32_t>{4, 6}));
  a /= 2;
  EXPECT_EQ(a, (Tensor<std::int32_t>{2, 3}));
}

TEST(InPlace, ASharedTensorDoesNotChangeItsCopies) {
  Tensor<float> a{1, 2};
  const Tensor<float> copy = a;
  a += Tensor<float>{10, 20};
  EXPECT_EQ(a, (Tensor<float>{11, 22}));
  EXPECT_EQ(copy, (Tensor<float>{1, 2}));
  (void)add_scaled(copy, 3, a);
  EXPECT_EQ(copy, (Tensor<float>{1, 2}));
}

TEST(InPlace, ATensorMayMeetItself) {
  Tensor<float> a{1, 2};
  a += a;
  EXPECT_EQ(a, (Tensor<float>{2, 4}));
  a -= a;
  EXPECT_EQ(a, (Tensor<float>{0, 0}));
}

TEST(InPlace, AnOperandMayStretchTheTensor) {
  Tensor<float> a{1, 2};
  a += Tensor<float>{{10}, {20}};
  EXPECT_EQ(a, (Tensor<float>{{11, 12}, {21, 22}}));
}

TEST(InPlace, SymbolicZerosAreZeros) {
  Tensor<float> a;
  a += Tensor<float>{1, 2};
  EXPECT_EQ(a, (Tensor<float>{1, 2}));
  a -= Tensor<float>();
  EXPECT_EQ(a, (Tensor<float>{1, 2}));
}

TEST(InPlace, NumbersApplyToEachElement) {
  Tensor<float> a{1, 2};
  a += 1;
  a *= 6;
  a -= 2;
  a /= 2;
  EXPECT_EQ(a, (Tensor<float>{5, 8}));
  a /= Tensor<float>{5, 4};
  EXPECT_EQ(a, (Tensor<float>{1, 2}));
}

TEST(InPlace, AFailedUpdateChangesNothing) {
  Tensor<float> a{1, 2};
  const Tensor<float> b{1, 2, 3};
  EXPECT_EQ(thrown<UsageError>([&] { a += b; }),
            "add: axis -1: extents 2 and 3 differ; shapes [2] and [3]");
  EXPECT_EQ(thrown<UsageError>([&] { a -= b; }),
            "sub: axis -1: extents 2 and 3 differ; shapes [2] and [3]");
  EXPECT_EQ(thrown<UsageError>([&] { a *= b; }),
            "mul: axis -1: extents 2 and 3 differ; shapes [2] and [3]");
  EXPECT_EQ(thrown<UsageError>([&] { a /= b; }),
            "div: axis -1: extents 2 and 3 differ; shapes [2] and [3]");
  EXPECT_EQ(thrown<UsageError>([&] { (void)add_scaled(a, 2, b); }),
            "add_scaled: axis -1: extents 2 and 3 differ; shapes [2] and [3] (here)");
  EXPECT_EQ(a, (Tensor<float>{1, 2}));
}

}  // namespace in_place_test
}  // namespace ddx
