#include "ddx/tensor/matrix_exponential.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/diagonal.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/stacking.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/near_tensors.h"
#include "tests/support/thrown.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace ddx {
namespace matrix_exponential_test {

using testing::expect_near;
using testing::thrown;

TEST(MatrixExponential, OfZeroIsTheIdentity) {
  EXPECT_EQ(matrix_exponential(zeros<double>({3, 3})), eye<double>(3));
  EXPECT_EQ(matrix_exponential(zeros<double>({2, 0, 0})).shape(), (Shape{2, 0, 0}));
}

TEST(MatrixExponential, OfANilpotentMatrixIsAPolynomial) {
  // 1 + x + x^2 / 2.
  const Tensor<double> x{{0, 1, 4}, {0, 0, 2}, {0, 0, 0}};
  expect_near(matrix_exponential(x), Tensor<double>{{1, 1, 5}, {0, 1, 2}, {0, 0, 1}}, 1e-15);
}

TEST(MatrixExponential, OfATurnIsARotation) {
  for (const Device device : {Device::naive(), Device::cpu()}) {
    for (const double t : {0.1, 3.0, 100.0}) {
      expect_near(matrix_exponential(Tensor<double>({2, 2}, {0, -t, t, 0}, device)),
                  Tensor<double>{{std::cos(t), -std::sin(t)}, {std::sin(t), std::cos(t)}}, 1e-13);
      const auto s = static_cast<float>(t);
      expect_near(matrix_exponential(Tensor<float>({2, 2}, {0, -s, s, 0}, device)),
                  Tensor<float>{{std::cos(s), -std::sin(s)}, {std::sin(s), std::cos(s)}}, 3e-5);
    }
  }
}

TEST(MatrixExponential, OfEachMatrixOfAStackIsWhatItIsAlone) {
  const Tensor<double> large{{10, 3}, {-2, 8}};
  const Tensor<double> small{{0.1, 0.3}, {-0.2, 0.1}};
  const auto both = unstack(matrix_exponential(stack(std::vector<Tensor<double>>{large, small})));
  EXPECT_EQ(both[0], matrix_exponential(large));
  EXPECT_EQ(both[1], matrix_exponential(small));
  expect_near(matmul(both[0], matrix_exponential(-large)), eye<double>(2), 1e-9);
}

TEST(MatrixExponential, NamesWhatIsNotFinite) {
  const Tensor<double> x{{1, HUGE_VAL}, {0, 0}};
  EXPECT_EQ(thrown<UsageError>([&] { (void)matrix_exponential(x); }),
            "matrix_exponential: matrix has a norm that is not finite; shape [2, 2] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)matrix_exponential(zeros<float>({2, 3})); }),
            "matrix_exponential: the matrices are not square; shape [2, 3] (here)");
}

}  // namespace matrix_exponential_test
}  // namespace ddx
