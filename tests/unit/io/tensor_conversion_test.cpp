#include "ddx/io/tensor_conversion.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace ddx::io {
namespace tensor_conversion_test {

using ddx::testing::thrown;

TEST(TensorConversion, ElementsAreLittleEndianInRowMajorOrder) {
  const Tensor<std::int32_t> x{{1, 256}, {-1, 65536}};
  const StoredTensor stored{
      DType::i32, Shape{2, 2}, {1, 0, 0, 0, 0, 1, 0, 0, 255, 255, 255, 255, 0, 0, 1, 0}};
  EXPECT_EQ(to_stored(x), stored);
  EXPECT_EQ(to_tensor<std::int32_t>(stored), x);
  EXPECT_EQ(to_tensor<std::int32_t>(stored, Device::naive()).device(), Device::naive());
}

TEST(TensorConversion, ScalarsAndArraysWithoutElements) {
  EXPECT_EQ(to_tensor<double>(to_stored(Tensor<double>(2.5))).item(), 2.5);
  const StoredTensor empty{DType::u8, Shape{3, 0}, {}};
  EXPECT_EQ(to_tensor<std::uint8_t>(empty).shape(), (Shape{3, 0}));
  EXPECT_EQ(to_stored(to_tensor<std::uint8_t>(empty)), empty);
}

TEST(TensorConversion, WhatDoesNotFitIsRefused) {
  const StoredTensor stored{DType::f32, Shape{2}, std::vector<std::uint8_t>(7)};
  EXPECT_EQ(thrown<UsageError>([&] { (void)to_tensor<double>(stored); }),
            "to_tensor: the array is of dtype f32, the tensor of dtype f64 (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)to_tensor<float>(stored); }),
            "to_tensor: an array of dtype f32 and shape [2] takes 8 bytes, it has 7 (here)");
}

}  // namespace tensor_conversion_test
}  // namespace ddx::io
