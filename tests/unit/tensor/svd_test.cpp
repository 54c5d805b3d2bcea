#include "ddx/tensor/svd.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor/axes.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/diagonal.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/near_tensors.h"
#include "tests/support/thrown.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <source_location>
#include <string>

namespace ddx {
namespace svd_test {

using testing::expect_near;
using testing::thrown;

template <FloatingScalar Scalar>
void expect_orthonormal(const Tensor<Scalar>& x, double tolerance) {
  const std::int64_t n = x.shape()[x.rank() - 1];
  const auto product = matmul(x, x, {.transpose_left = true});
  expect_near(product, broadcast_to(eye<Scalar>(n, n, x.device()), product.shape()), tolerance);
}

/// Orthonormal columns times descending values times orthonormal columns is the matrix.
template <FloatingScalar Scalar>
void expect_factors(const Tensor<Scalar>& x, bool full, double tolerance) {
  const auto [u, s, v] = svd(x, {.full = full});
  expect_orthonormal(u, tolerance);
  expect_orthonormal(v, tolerance);
  const std::int64_t k = s.shape()[s.rank() - 1];
  const auto left = slice(u, detail::column_range(u.shape(), 0, k));
  const auto right = slice(v, detail::column_range(v.shape(), 0, k));
  expect_near(matmul(left * expand_dims(s, -2), right, {.transpose_right = true}), x, tolerance);
  expect_near(svdvals(x), s, tolerance);
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(s.count()); ++i) {
    EXPECT_GE(s.elements()[static_cast<std::size_t>(i)],
              i % k + 1 < k ? s.elements()[static_cast<std::size_t>(i + 1)] : Scalar{0});
  }
}

TEST(Svd, HasTheValuesOfADiagonalMatrix) {
  for (const Device device : {Device::naive(), Device::cpu()}) {
    const auto [u, s, v] = svd(Tensor<double>({2, 2}, {-2, 0, 0, 3}, device));
    expect_near(s, Tensor<double>{3, 2}, 1e-15);
    expect_near(u, Tensor<double>{{0, 1}, {1, 0}}, 1e-15);
    expect_near(v, Tensor<double>{{0, -1}, {1, 0}}, 1e-15);
  }
}

TEST(Svd, FactorsMatricesOfAnyShape) {
  for (const Device device : {Device::naive(), Device::cpu()}) {
    for (const Shape& shape :
         {Shape{1, 1}, Shape{6, 4}, Shape{4, 6}, Shape{3, 5, 2}, Shape{2, 3, 3}, Shape{30, 20},
          Shape{3, 0}, Shape{0, 3}, Shape{0, 3, 2}}) {
      SCOPED_TRACE(to_string(device) + " " + to_string(shape));
      for (const bool full : {false, true}) {
        expect_factors(random_normal<double>(RandomKey(1), shape, {}, device), full, 1e-13);
        expect_factors(random_normal<float>(RandomKey(2), shape, {}, device), full, 3e-5);
      }
    }
  }
}

TEST(Svd, FactorsMatricesWithoutFullRank) {
  for (const Device device : {Device::naive(), Device::cpu()}) {
    expect_factors(zeros<double>({3, 2}, device), true, 1e-15);
    expect_factors(ones<double>({4, 3}, device), true, 1e-14);
    expect_factors(eye<double>(5, 5, device), false, 1e-15);
    expect_factors(testing::hilbert<double>(10, device), false, 1e-14);
    expect_factors(1e200 * ones<double>({2, 2}, device), false, 1e186);
    expect_near(svdvals(ones<double>({4, 3}, device)), Tensor<double>{std::sqrt(12.0), 0, 0},
                1e-14);
  }
}

TEST(Svd, TakesTheSameSignsOnAllDevices) {
  const auto x = random_normal<double>(RandomKey(3), {3, 7, 5}, {}, Device::naive());
  const auto a = svd(x);
  const auto b = svd(x.to(Device::cpu()));
  expect_near(a.u, b.u, 1e-12);
  expect_near(a.v, b.v, 1e-12);
}

// sum(u diag(s) v^T w) is sum(x w), so its gradient is w, whatever vectors were chosen.
void expect_gradient_through_all_factors(const Tensor<double>& x) {
  const Tensor<double> w{{1, -2, 3}, {0.5, 4, -1}, {2, 0, 1}};
  const auto [y, pullback] = svd_vjp(x, {}, {});
  const auto gradient =
      pullback({matmul(w, y.v) * expand_dims(y.s, -2),
                diagonal_part(matmul(matmul(y.u, w, {.transpose_left = true}), y.v)),
                matmul(w, y.u, {.transpose_left = true}) * expand_dims(y.s, -2)});
  expect_near(gradient, w, 1e-13);
}

TEST(Svd, HasTheGradientOfWhatDoesNotDependOnTheChoiceOfVectors) {
  expect_gradient_through_all_factors({{1, 2, 3}, {4, 5, 6}, {7, 8, 10}});
  expect_gradient_through_all_factors({{0, 3, 0}, {0, 0, 0}, {1, 0, 0}});
}

TEST(Svd, HasNoDerivativeOfVectorsOfEqualValues) {
  constexpr std::source_location nowhere;
  const auto x = eye<double>(2);
  const auto pullback = svd_vjp(x, {}, nowhere).pullback;
  const std::string sentence =
      "svd: matrix: its vectors have no derivative, because values 0 and 1 are equal except for "
      "rounding";
  EXPECT_EQ(thrown<UsageError>([&] { (void)pullback({Tensor<double>(), Tensor<double>(), x}); }),
            sentence);
  EXPECT_EQ(thrown<UsageError>([&] { (void)svd_jvp(x, {}, nowhere, x); }), sentence);
  expect_near(svdvals_vjp(x, nowhere).pullback(Tensor<double>{1, 1}), x, 1e-15);
  const auto wide = svd_vjp(Tensor<double>{{1, 0, 0}, {0, 0, 0}}, {}, nowhere).pullback;
  EXPECT_EQ(
      thrown<UsageError>(
          [&] { (void)wide({Tensor<double>(), Tensor<double>(), ones<double>({3, 2})}); }),
      "svd: matrix: its vectors have no derivative, because value 1 is zero except for rounding");
}

TEST(Svd, NamesWhatItCannotFactor) {
  const Tensor<float> x({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, std::numeric_limits<float>::infinity()});
  EXPECT_EQ(thrown<UsageError>([&] { (void)svd(x); }),
            "svd: matrix [1] has an element that is not finite, in row 1; shape [2, 2, 2] (here)");
  EXPECT_EQ(
      thrown<UsageError>([&] { (void)svdvals(x); }),
      "svdvals: matrix [1] has an element that is not finite, in row 1; shape [2, 2, 2] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)svd(zeros<float>({2})); }),
            "svd: the operand is no matrix; shape [2] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)svd_vjp(ones<double>({2, 3}), {.full = true}, {}); }),
            "svd: complete factors of matrices that are not square have no derivative: their last "
            "columns may be any basis; shape [2, 3]");
}

}  // namespace svd_test
}  // namespace ddx
