#include "ddx/tensor/determinant.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/diagonal.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/near_tensors.h"
#include "tests/support/thrown.h"

#include <cmath>
#include <gtest/gtest.h>
#include <source_location>

namespace ddx {
namespace determinant_test {

using testing::expect_near;
using testing::thrown;

TEST(Determinant, HasTheSignOfThePermutation) {
  for (const Device device : {Device::naive(), Device::cpu()}) {
    // Two rows swapped; three in a cycle; -2 = 1 * 4 - 2 * 3 stands alone below.
    const Tensor<double> x(Shape{2, 3, 3}, {0, 1, 0, 1, 0, 0, 0, 0, 5, 0, 2, 0, 0, 0, 2, 2, 0, 0},
                           device);
    EXPECT_EQ(det(x), (Tensor<double>{-5, 8}));
    expect_near(det(Tensor<double>({2, 2}, {1, 2, 3, 4}, device)), Tensor<double>(-2.0), 1e-15);
  }
}

TEST(Determinant, OfNoRowsIsOne) {
  EXPECT_EQ(det(zeros<float>({2, 0, 0})), (Tensor<float>{1, 1}));
  EXPECT_EQ(slogdet(zeros<float>({0, 0})).log_abs_det, Tensor<float>(0.0F));
  EXPECT_EQ(det(zeros<float>({0, 2, 2})).shape(), (Shape{0}));
}

TEST(Determinant, GradientOfASingularMatrixIsThatOfItsCofactors) {
  // Of rank 1: all cofactors of a matrix of 3 rows are 0; of 2 rows they are its elements.
  const Tensor<double> two{{1, 2}, {2, 4}};
  expect_near(det_vjp(two, {}).pullback(Tensor<double>(1.0)), Tensor<double>{{4, -2}, {-2, 1}},
              1e-14);
  const Tensor<double> three{{1, 2, 3}, {2, 4, 6}, {3, 6, 9}};
  expect_near(det_vjp(three, {}).pullback(Tensor<double>(1.0)), zeros<double>({3, 3}), 1e-13);
  expect_near(det_vjp(zeros<double>({1, 1}), {}).pullback(Tensor<double>(1.0)),
              ones<double>({1, 1}), 0);
}

TEST(SignAndLog, DoesNotOverflow) {
  const auto y = slogdet(-1e30F * eye<float>(101));
  EXPECT_EQ(y.sign, Tensor<float>(-1.0F));
  EXPECT_NEAR(y.log_abs_det.item(), 101 * std::log(1e30), 1e-3);
}

TEST(SignAndLog, OfASingularMatrixIsMinusInfinity) {
  const Tensor<double> x{{1, 2}, {2, 4}};
  EXPECT_EQ(slogdet(x).sign, Tensor<double>(0.0));
  EXPECT_EQ(slogdet(x).log_abs_det, Tensor<double>(-HUGE_VAL));
  EXPECT_EQ(logdet(x), Tensor<double>(-HUGE_VAL));
  EXPECT_TRUE(std::isnan(logdet(-1.0 * eye<double>(3)).item()));
  EXPECT_EQ(thrown<UsageError>([&] {
              (void)slogdet_vjp(x, std::source_location::current()).pullback({Tensor<double>(1.0)});
            }),
            "slogdet: matrix is singular: zero pivot 1; shape [2, 2] (here)");
}

TEST(Determinant, NamesWhatIsNotSquare) {
  EXPECT_EQ(thrown<UsageError>([] { (void)det(zeros<float>({2, 3})); }),
            "det: the matrices are not square; shape [2, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)slogdet(zeros<float>({2})); }),
            "slogdet: the operand is no matrix; shape [2] (here)");
}

}  // namespace determinant_test
}  // namespace ddx
