#include "ddx/tensor/matmul.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <gtest/gtest.h>

namespace ddx {
namespace {

using testing::thrown;

TEST(Matmul, MultipliesRowsByColumns) {
  const Tensor<double> a{{1, 2}, {3, 4}, {5, 6}};
  const Tensor<double> b{{1, 0, 2}, {0, 1, 3}};
  EXPECT_EQ(matmul(a, b), (Tensor<double>{{1, 2, 8}, {3, 4, 18}, {5, 6, 28}}));
  EXPECT_EQ(matmul(a, a, {.transpose_left = true}), (Tensor<double>{{35, 44}, {44, 56}}));
}

TEST(Matmul, NamesWhatDoesNotFit) {
  const auto a = zeros<float>({2, 3});
  EXPECT_EQ(thrown<UsageError>([&] { (void)matmul(a, zeros<float>({4, 5})); }),
            "matmul: inner extents 3 and 4 differ; shapes [2, 3] and [4, 5] (here)");
  EXPECT_EQ(thrown<UsageError>(
                [&] { (void)matmul(a, a, {.transpose_left = true, .transpose_right = true}); }),
            "matmul: inner extents 2 and 3 differ; shapes [2, 3] transposed and [2, 3] transposed "
            "(here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)matmul(a, zeros<float>({3})); }),
            "matmul: ranks 2 and 1 are not both at least 2; shapes [2, 3] and [3] (here)");
  EXPECT_EQ(
      thrown<UsageError>([&] { (void)matmul(zeros<float>({4, 2, 3}), zeros<float>({5, 3, 2})); }),
      "matmul: leading axes differ; shapes [4, 2, 3] and [5, 3, 2] (here)");
  const auto elsewhere = zeros<float>({3, 2}, Device::naive()).to(Device::cpu());
  EXPECT_EQ(thrown<UsageError>([&] { (void)matmul(a.to(Device::naive()), elsewhere); }),
            "matmul: operands lie on devices naive and cpu; shapes [2, 3] and [3, 2] (here)");
}

}  // namespace
}  // namespace ddx
