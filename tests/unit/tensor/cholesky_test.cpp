#include "ddx/tensor/cholesky.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/near_tensors.h"
#include "tests/support/thrown.h"

#include <gtest/gtest.h>
#include <limits>

namespace ddx {
namespace cholesky_test {

using testing::expect_near;
using testing::thrown;

TEST(Cholesky, IsALowerTriangleWithAPositiveDiagonal) {
  const Tensor<double> l{{2, 0}, {1, 2}};
  EXPECT_EQ(cholesky(Tensor<double>{{4, 2}, {2, 5}}), l);
  EXPECT_EQ(cholesky(Tensor<double>{{4, 4}, {0, 5}}), l) << "the symmetric part is taken";
  EXPECT_EQ(cholesky(Tensor<float>({2, 1, 1}, {9, 16})), Tensor<float>({2, 1, 1}, {3, 4}));
}

TEST(Cholesky, OfNothingIsNothing) {
  EXPECT_EQ(cholesky(zeros<double>({0, 0})).shape(), (Shape{0, 0}));
  EXPECT_EQ(cholesky(zeros<double>({0, 3, 3})).shape(), (Shape{0, 3, 3}));
}

TEST(Cholesky, GivesAnIllConditionedMatrixBack) {
  for (const Device device : {Device::naive(), Device::cpu()}) {
    const auto x = testing::hilbert<double>(10, device);  // Of condition 1.6e13.
    const auto l = cholesky(x);
    expect_near(matmul(l, l, {.transpose_right = true}), x, 1e-15);
    const auto y = testing::hilbert<float>(4, device);
    const auto m = cholesky(y);
    expect_near(matmul(m, m, {.transpose_right = true}), y, 2e-7);
  }
}

TEST(Cholesky, NamesTheMatrixAndThePivot) {
  for (const Device device : {Device::naive(), Device::cpu()}) {
    const Tensor<double> x(Shape{2, 2, 2}, {1, 0, 0, 1, 1, 2, 2, 1}, device);
    EXPECT_EQ(thrown<UsageError>([&] { (void)cholesky(x); }),
              "cholesky: matrix [1] is not positive definite: no positive pivot 1; shape [2, 2, 2] "
              "(here)");
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Tensor<double> y(Shape{2, 2}, {nan, 0, 0, 1}, device);
    EXPECT_EQ(
        thrown<UsageError>([&] { (void)cholesky(y); }),
        "cholesky: matrix is not positive definite: no positive pivot 0; shape [2, 2] (here)");
  }
}

TEST(Cholesky, NamesWhatIsNotSquare) {
  EXPECT_EQ(thrown<UsageError>([] { (void)cholesky(zeros<float>({4, 2, 3})); }),
            "cholesky: the matrices are not square; shape [4, 2, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)cholesky(zeros<float>({4})); }),
            "cholesky: the operand is no matrix; shape [4] (here)");
}

}  // namespace cholesky_test
}  // namespace ddx
