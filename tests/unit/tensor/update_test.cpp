#include "ddx/tensor/update.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <utility>

namespace ddx {
namespace update_test {

using testing::thrown;
using Ints = Tensor<std::int32_t>;

const Tensor<float> matrix{{1, 2, 3}, {4, 5, 6}};

TEST(UpdateSlice, ReplacesABox) {
  const SliceOptions right{.start = {0, 1}};
  EXPECT_EQ(update_slice(matrix, Tensor<float>{{7, 8}, {9, 10}}, right),
            (Tensor<float>{{1, 7, 8}, {4, 9, 10}}));
  EXPECT_EQ(update_slice(matrix, Tensor<float>{7, 8}, right), (Tensor<float>{{1, 7, 8}, {4, 7, 8}}))
      << "the update is stretched";
  EXPECT_EQ(update_slice(matrix, Tensor<float>(0), {.start = {0, 0}, .step = {1, 2}}),
            (Tensor<float>{{0, 2, 0}, {0, 5, 0}}));
  EXPECT_EQ(matrix, (Tensor<float>{{1, 2, 3}, {4, 5, 6}})) << "the operand keeps its value";
}

TEST(UpdateSlice, WritesInPlaceWhereNobodyElseSeesIt) {
  Tensor<float> x{1, 2, 3};
  const void* const storage = x.array().data();
  x = update_slice(std::move(x), Tensor<float>{9}, {.start = {1}, .stop = {2}});
  EXPECT_EQ(x, (Tensor<float>{1, 9, 3}));
  EXPECT_EQ(x.array().data(), storage);
  const Tensor<float> other = x;
  x = update_slice(std::move(x), other, {});
  EXPECT_EQ(x, other);
}

TEST(UpdateSlice, OfItselfReadsTheOldElements) {
  Tensor<float> x{1, 2, 3, 4};
  x = update_slice(x, slice(x, {.stop = {3}}), {.start = {1}});
  EXPECT_EQ(x, (Tensor<float>{1, 1, 2, 3}));
}

TEST(UpdateSlice, RejectsWhatDoesNotFit) {
  EXPECT_EQ(thrown<UsageError>(
                [] { (void)update_slice(matrix, Tensor<float>{1, 2, 3}, {.start = {0, 1}}); }),
            "update_slice: the update of shape [3] does not stretch to the box [2, 2] of shape "
            "[2, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)update_slice(matrix, matrix, {.start = {0}}); }),
            "update_slice: start [0] has 1 values, not one per axis; shape [2, 3] (here)");
}

TEST(UpdateAt, ReplacesPositionsFromAPlaceOn) {
  const Tensor<float> column{{7}, {8}};
  EXPECT_EQ(update_at(matrix, column, Ints(2), 1), (Tensor<float>{{1, 2, 7}, {4, 5, 8}}));
  EXPECT_EQ(update_at(matrix, column, Ints(0), -1), (Tensor<float>{{7, 2, 3}, {8, 5, 6}}));
  EXPECT_EQ(update_at(matrix, matrix, Ints(0), 0), matrix);
  EXPECT_EQ(update_at(matrix, zeros<float>({0, 3}), Ints(2), 0), matrix) << "nothing at the end";
}

TEST(UpdateAt, WritesInPlaceWhereNobodyElseSeesIt) {
  Tensor<float> x{1, 2, 3};
  const void* const storage = x.array().data();
  x = update_at(std::move(x), Tensor<float>{9}, Ints(1), 0);
  EXPECT_EQ(x, (Tensor<float>{1, 9, 3}));
  EXPECT_EQ(x.array().data(), storage);
  const Tensor<float> other = x;
  x = update_at(std::move(x), Tensor<float>{5}, Ints(0), 0);
  EXPECT_EQ(other, (Tensor<float>{1, 9, 3}));
}

TEST(UpdateAt, WritesInPlaceOnALazyDevice) {
  Tensor<float> x = Tensor<float>{1, 2, 3}.to(Device::lazy()) * 2.0F;
  const void* const storage = x.elements().data();
  for (std::int32_t place = 0; place < 3; ++place) {
    x = update_at(std::move(x), Tensor<float>({1}, {7.0F}, Device::lazy()),
                  reshape(Ints{place}.to(Device::lazy()), {}), 0);
    EXPECT_EQ(x.elements().data(), storage) << place;
  }
  EXPECT_EQ(x, (Tensor<float>{7, 7, 7}.to(Device::lazy())));
}

TEST(UpdateAt, RejectsWhatDoesNotFit) {
  const Tensor<float> row{{1, 2, 3}};
  EXPECT_EQ(thrown<UsageError>([&] { (void)update_at(matrix, row, Ints(2), 0); }),
            "update_at: 1 positions from place 2 on do not lie in [0, 2) (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)update_at(matrix, row, Ints(-1), 0); }),
            "update_at: 1 positions from place -1 on do not lie in [0, 2) (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)update_at(matrix, row, Ints(0), 1); }),
            "update_at: the update of shape [1, 3] is no part of shape [2, 3] along axis 1 (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)update_at(matrix, row, Ints{0}, 0); }),
            "update_at: the place of shape [1] is not a single number (here)");
}

}  // namespace update_test
}  // namespace ddx
