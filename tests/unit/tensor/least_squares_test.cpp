#include "ddx/tensor/least_squares.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/matrix_transpose.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/near_tensors.h"
#include "tests/support/thrown.h"

#include <gtest/gtest.h>

namespace ddx {
namespace least_squares_test {

using testing::expect_near;
using testing::thrown;

/// The four equations that define it (R. Penrose, 1955).
template <FloatingScalar Scalar>
void expect_pseudo_inverse(const Tensor<Scalar>& x, double tolerance) {
  const auto p = pinv(x);
  const auto xp = matmul(x, p);
  const auto px = matmul(p, x);
  expect_near(matmul(xp, x), x, tolerance);
  expect_near(matmul(px, p), p, tolerance);
  expect_near(matrix_transpose(xp), xp, tolerance);
  expect_near(matrix_transpose(px), px, tolerance);
}

TEST(PseudoInverse, FulfilsTheEquationsOfPenrose) {
  for (const Device device : {Device::naive(), Device::cpu()}) {
    for (const Shape& shape :
         {Shape{1, 1}, Shape{4, 3}, Shape{2, 3, 5}, Shape{3, 0}, Shape{0, 2, 2}}) {
      expect_pseudo_inverse(random_normal<double>(RandomKey(1), shape, {}, device), 1e-12);
      expect_pseudo_inverse(random_normal<float>(RandomKey(1), shape, {}, device), 1e-4);
    }
    expect_pseudo_inverse(Tensor<double>({3, 3}, {1, 2, 3, 4, 5, 6, 5, 7, 9}, device), 1e-13);
    expect_pseudo_inverse(zeros<double>({2, 3}, device), 0);
  }
}

TEST(LeastSquares, FitsALine) {
  // Through (0, 1), (1, 3), (2, 5), and with the middle one raised by 3: the slope stays.
  const Tensor<double> a{{1, 0}, {1, 1}, {1, 2}};
  const Tensor<double> b{{1, 1}, {3, 6}, {5, 5}};
  expect_near(lstsq(a, b), Tensor<double>{{1, 2}, {2, 2}}, 1e-14);
}

TEST(LeastSquares, TakesTheShortestOfSeveralSolutions) {
  expect_near(lstsq(Tensor<double>{{1, 1}}, Tensor<double>{{2}}), Tensor<double>{{1}, {1}}, 1e-15);
  expect_near(lstsq(Tensor<double>{{1, 1}, {1, 1}}, Tensor<double>{{1}, {3}}),
              Tensor<double>{{1}, {1}}, 1e-15);
  EXPECT_EQ(lstsq(zeros<float>({3, 0}), ones<float>({3, 2})).shape(), (Shape{0, 2}));
}

TEST(LeastSquares, LeavesOutWhatIsBelowTheTolerance) {
  const Tensor<double> a{{1, 0}, {0, 1e-3}};
  const Tensor<double> b{{1}, {1}};
  expect_near(lstsq(a, b), Tensor<double>{{1}, {1000}}, 1e-9);
  expect_near(lstsq(a, b, {.tolerance = 1e-2}), Tensor<double>{{1}, {0}}, 1e-15);
}

TEST(LeastSquares, NamesWhatDoesNotFit) {
  EXPECT_EQ(thrown<UsageError>([] { (void)lstsq(zeros<float>({3, 2}), zeros<float>({2, 1})); }),
            "lstsq: matrix of 3 rows with a right-hand side of 2; shapes [3, 2] and [2, 1] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)lstsq(zeros<float>({3, 2}), zeros<float>({3})); }),
            "lstsq: ranks 2 and 1 are not both at least 2; shapes [3, 2] and [3] (here)");
  EXPECT_EQ(
      thrown<UsageError>([] { (void)lstsq(zeros<float>({2, 3, 2}), zeros<float>({4, 3, 1})); }),
      "lstsq: leading axes differ; shapes [2, 3, 2] and [4, 3, 1] (here)");
}

}  // namespace least_squares_test
}  // namespace ddx
