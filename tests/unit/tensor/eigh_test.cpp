#include "ddx/tensor/eigh.h"

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
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <source_location>
#include <string>

namespace ddx {
namespace eigh_test {

using testing::expect_near;
using testing::thrown;

template <FloatingScalar Scalar>
void expect_factors(const Tensor<Scalar>& any, double tolerance) {
  const auto x = detail::symmetric_part(any);
  const auto [values, vectors] = eigh(any);
  const std::int64_t n = x.shape()[x.rank() - 1];
  expect_near(matmul(vectors, vectors, {.transpose_left = true}),
              broadcast_to(eye<Scalar>(n, n, x.device()), x.shape()), tolerance);
  expect_near(matmul(x, vectors), vectors * expand_dims(values, -2), tolerance);
  expect_near(eigvalsh(any), values, tolerance);
}

TEST(Eigh, HasTheValuesAndVectorsOfASmallMatrix) {
  const double half = std::sqrt(0.5);
  for (const Device device : {Device::naive(), Device::cpu()}) {
    for (const auto& x : {Tensor<double>({2, 2}, {2, 1, 1, 2}, device),
                          Tensor<double>({2, 2}, {2, 2, 0, 2}, device)}) {
      const auto [values, vectors] = eigh(x);
      expect_near(values, Tensor<double>{1, 3}, 1e-15);
      expect_near(vectors, Tensor<double>{{half, half}, {-half, half}}, 1e-15);
    }
  }
}

TEST(Eigh, FactorsMatricesOfAnySize) {
  for (const Device device : {Device::naive(), Device::cpu()}) {
    for (const Shape& shape : {Shape{1, 1}, Shape{5, 5}, Shape{3, 4, 4}, Shape{40, 40}, Shape{0, 0},
                               Shape{2, 0, 0}, Shape{0, 3, 3}}) {
      SCOPED_TRACE(to_string(device) + " " + to_string(shape));
      expect_factors(random_normal<double>(RandomKey(1), shape, {}, device), 1e-13);
      expect_factors(random_normal<float>(RandomKey(2), shape, {}, device), 3e-5);
    }
    expect_factors(zeros<double>({3, 3}, device), 0);
    expect_factors(eye<double>(4, 4, device), 1e-15);
    expect_factors(testing::hilbert<double>(10, device), 1e-14);
    expect_factors(1e200 * ones<double>({2, 2}, device), 1e186);
  }
}

TEST(Eigh, TakesTheSameSignsOnAllDevices) {
  const auto x = random_normal<double>(RandomKey(3), {3, 6, 6}, {}, Device::naive());
  expect_near(eigh(x).vectors, eigh(x.to(Device::cpu())).vectors, 1e-12);
}

// sum(v diag(l) v^T w) is sum((x + x^T) / 2 w), so its gradient is that of w, whatever vectors were
// chosen.
void expect_gradient_through_all_factors(const Tensor<double>& x) {
  const Tensor<double> w{{1, -2, 3}, {0.5, 4, -1}, {2, 0, 1}};
  const auto [y, pullback] = eigh_vjp(x, {});
  const auto both = 2.0 * detail::symmetric_part(w);
  const auto gradient =
      pullback({diagonal_part(matmul(matmul(y.vectors, w, {.transpose_left = true}), y.vectors)),
                matmul(both, y.vectors) * expand_dims(y.values, -2)});
  expect_near(gradient, detail::symmetric_part(w), 1e-13);
}

TEST(Eigh, HasTheGradientOfWhatDoesNotDependOnTheChoiceOfVectors) {
  expect_gradient_through_all_factors({{1, 2, 3}, {2, 5, 6}, {3, 6, 10}});
  expect_gradient_through_all_factors({{2, 0, 0}, {0, -1, 0}, {0, 0, 0}});
}

TEST(Eigh, HasNoDerivativeOfVectorsOfEqualValues) {
  const Tensor<double> x({2, 2, 2}, {1, 0, 0, 3, 2, 0, 0, 2});
  constexpr std::source_location nowhere;
  const auto pullback = eigh_vjp(x, nowhere).pullback;
  const std::string sentence =
      "eigh: matrix [1]: its vectors have no derivative, because values 0 and 1 are equal except "
      "for rounding";
  EXPECT_EQ(
      thrown<UsageError>([&] { (void)pullback({Tensor<double>(), ones<double>({2, 2, 2})}); }),
      sentence);
  EXPECT_EQ(thrown<UsageError>([&] { (void)eigh_jvp(x, nowhere, x); }), sentence);
  expect_near(pullback({ones<double>({2, 2}), Tensor<double>()}),
              broadcast_to(eye<double>(2), {2, 2, 2}), 1e-15);
  expect_near(eigvalsh_vjp(x, nowhere).pullback(ones<double>({2, 2})),
              broadcast_to(eye<double>(2), {2, 2, 2}), 1e-15);
}

TEST(Eigh, NamesWhatItCannotFactor) {
  const Tensor<double> x{{1, 2}, {std::numeric_limits<double>::quiet_NaN(), 1}};
  EXPECT_EQ(thrown<UsageError>([&] { (void)eigh(x); }),
            "eigh: matrix has an element that is not finite, in row 1; shape [2, 2] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)eigvalsh(x); }),
            "eigvalsh: matrix has an element that is not finite, in row 1; shape [2, 2] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)eigh(zeros<float>({2, 3})); }),
            "eigh: the matrices are not square; shape [2, 3] (here)");
}

}  // namespace eigh_test
}  // namespace ddx
