#include "ddx/tensor/tensor.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/creation.h"

#include "tests/support/thrown.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <type_traits>
#include <vector>

namespace ddx {
namespace tensor_test {

using testing::thrown;

TEST(Tensor, IsMadeFromListsShapesAndValues) {
  EXPECT_EQ((Tensor<float>{1, 2, 3}).shape(), (Shape{3}));
  const Tensor<float> matrix{{1, 2, 3}, {4, 5, 6}};
  EXPECT_EQ(matrix.shape(), (Shape{2, 3}));
  EXPECT_EQ(matrix, Tensor<float>({2, 3}, {1, 2, 3, 4, 5, 6}));
  const Tensor<std::int32_t> cube{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}, {{9, 10}, {11, 12}}};
  EXPECT_EQ(cube.shape(), (Shape{3, 2, 2}));
  EXPECT_EQ(cube.values(), (std::vector<std::int32_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
  const std::vector<double> values{1, 2};
  EXPECT_EQ(Tensor<double>({2, 1}, values).values(), values);
  EXPECT_EQ(Tensor<float>(2.5F).shape(), Shape{});
  EXPECT_EQ((Tensor<bool>{true, false}).values(), (std::vector<bool>{true, false}));
  EXPECT_EQ(matrix.rank(), 2U);
  EXPECT_EQ(matrix.count(), 6U);
}

TEST(Tensor, RejectsValuesThatDoNotFill) {
  EXPECT_EQ(thrown<UsageError>([] { (void)Tensor<float>({2, 2}, {1, 2, 3}); }),
            "tensor: 3 values do not fill shape [2, 2] of 4 elements (here)");
}

TEST(Tensor, RejectsRowsOfDifferentLengths) {
  EXPECT_EQ(thrown<UsageError>([] { (void)Tensor<float>{{1, 2}, {1, 2, 3}}; }),
            "tensor: rows of 2 and 3 values differ (here)");
  EXPECT_EQ(
      thrown<UsageError>([] { (void)Tensor<float>{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}, {9, 10}}}; }),
      "tensor: rows of 2 and 3 values differ (here)");
}

TEST(Tensor, ACopyIsIndependent) {
  Tensor<float> a{1, 2, 3};
  Tensor<float> b = a;
  EXPECT_TRUE(a.shares_storage_with(b));
  b.set({1}, 9);
  EXPECT_EQ(a, (Tensor<float>{1, 2, 3}));
  EXPECT_EQ(b, (Tensor<float>{1, 9, 3}));
  const float* storage = b.elements().data();
  b.set({-1}, 7);
  EXPECT_EQ(b.elements().data(), storage) << "an unshared tensor is written in place";
  a.mutable_elements()[0] = 5;
  EXPECT_EQ(a, (Tensor<float>{5, 2, 3}));
}

TEST(Tensor, ElementsAreReadByPosition) {
  const Tensor<float> x{{1, 2, 3}, {4, 5, 6}};
  EXPECT_EQ((x[{1, 2}]), 6);
  EXPECT_EQ((x[{-2, -3}]), 1);
  EXPECT_EQ(thrown<UsageError>([&] { (void)x[{2, 0}]; }),
            "element: position [2, 0] lies outside on axis 0; shape [2, 3]");
  EXPECT_EQ(thrown<UsageError>([&] { (void)x[{0, -4}]; }),
            "element: position [0, -4] lies outside on axis 1; shape [2, 3]");
  EXPECT_EQ(thrown<UsageError>([&] { (void)x[{1}]; }),
            "element: position [1] has not one value per axis; shape [2, 3]");
}

TEST(Tensor, SetNamesTheLine) {
  Tensor<float> x{1, 2};
  EXPECT_EQ(thrown<UsageError>([&] { x.set({2}, 0); }),
            "element: position [2] lies outside on axis 0; shape [2] (here)");
}

TEST(Tensor, ItemIsTheOnlyElement) {
  EXPECT_EQ(Tensor<float>({1, 1}, {3}).item(), 3);
  EXPECT_EQ(thrown<UsageError>([] { (void)Tensor<float>{1, 2}.item(); }),
            "item: there are 2 elements, not 1; shape [2] (here)");
}

TEST(Tensor, EqualityLooksAtShapeAndElements) {
  const Tensor<float> x{1, 2};
  EXPECT_NE(x, Tensor<float>({1, 2}, {1, 2}));
  EXPECT_NE(x, (Tensor<float>{1, 3}));
  EXPECT_EQ(x, x.to(Device::cpu()));
  const Tensor<float> nan{NAN};
  EXPECT_NE(nan, nan);
}

TEST(Tensor, ADefaultOneIsASymbolicZero) {
  Tensor<float> zero;
  EXPECT_TRUE(zero.is_symbolic_zero());
  EXPECT_EQ(zero.item(), 0);
  EXPECT_EQ(zero.shape(), Shape{});
  EXPECT_FALSE(zero.shares_storage_with(zero));
  EXPECT_FALSE(zeros<float>({}).is_symbolic_zero());
  zero.set({}, 4);
  EXPECT_FALSE(zero.is_symbolic_zero());
  EXPECT_EQ(zero.item(), 4);
  EXPECT_EQ(Tensor<float>().item(), 0) << "writing one must not change what the others read";
}

TEST(Tensor, MovesBetweenDevices) {
  const Tensor<float> x({2}, {1, 2}, Device::naive());
  EXPECT_EQ(x.to(Device::cpu()).device(), Device::cpu());
  EXPECT_EQ(x.device(), Device::naive());
}

template <class T>
concept HasTangent = requires { typename T::TangentVector; };
static_assert(std::is_same_v<Tensor<float>::TangentVector, Tensor<float>>);
static_assert(HasTangent<Tensor<double>> && !HasTangent<Tensor<std::int32_t>> &&
              !HasTangent<Tensor<bool>>);

}  // namespace tensor_test
}  // namespace ddx
