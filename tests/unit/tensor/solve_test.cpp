#include "ddx/tensor/solve.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/diagonal.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/norm.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/near_tensors.h"
#include "tests/support/thrown.h"

#include <gtest/gtest.h>

namespace ddx {
namespace solve_test {

using testing::expect_near;
using testing::thrown;

TEST(Solve, SolvesBySwappingRows) {
  // The first pivot is 0 without another order of the rows.
  const Tensor<double> a{{0, 2, 1}, {1, 1, 0}, {2, 0, 1}};
  const Tensor<double> x{{1, -1}, {2, 0}, {3, 5}};
  expect_near(solve(a, matmul(a, x)), x, 1e-14);
  expect_near(solve(a.to(Device::naive()), matmul(a, x).to(Device::naive())), x, 1e-14);
}

TEST(Solve, StretchesLeadingAxes) {
  const Tensor<double> a{{{2, 0}, {0, 4}}, {{0, 1}, {1, 0}}};
  const Tensor<double> b{{4}, {8}};
  EXPECT_EQ(solve(a, b), Tensor<double>({2, 2, 1}, {2, 2, 8, 4}));
  EXPECT_EQ(solve(Tensor<double>{{2, 0}, {0, 4}}, Tensor<double>({2, 2, 1}, {4, 8, 2, 0})),
            Tensor<double>({2, 2, 1}, {2, 2, 1, 0}));
  EXPECT_EQ(solve(zeros<float>({0, 2, 2}), ones<float>({2, 3})).shape(), (Shape{0, 2, 3}));
  EXPECT_EQ(solve(zeros<float>({0, 0}), zeros<float>({0, 3})).shape(), (Shape{0, 3}));
}

TEST(Solve, LeavesASmallResidualForAnIllConditionedMatrix) {
  for (const Device device : {Device::naive(), Device::cpu()}) {
    const auto a = testing::hilbert<double>(10, device);
    const Tensor<double> b(Shape{10, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, device);
    const auto x = solve(a, b);
    expect_near(matmul(a, x) / norm(x), b / norm(x), 1e-15);
  }
}

TEST(Solve, NamesTheSingularMatrix) {
  const Tensor<float> a{{{1, 0}, {0, 1}}, {{1, 2}, {2, 4}}};
  for (const Device device : {Device::naive(), Device::cpu()}) {
    const auto here = a.to(device);
    EXPECT_EQ(thrown<UsageError>([&] { (void)solve(here, ones<float>({2, 2, 1}, device)); }),
              "solve: matrix [1] is singular: zero pivot 1; shape [2, 2, 2] (here)");
    EXPECT_EQ(thrown<UsageError>([&] { (void)inverse(here); }),
              "inverse: matrix [1] is singular: zero pivot 1; shape [2, 2, 2] (here)");
  }
}

TEST(Solve, NamesWhatDoesNotFit) {
  const auto a = eye<float>(2);
  EXPECT_EQ(thrown<UsageError>([&] { (void)solve(zeros<float>({2, 3}), a); }),
            "solve: the matrices are not square; shape [2, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)solve(a, zeros<float>({3, 1})); }),
            "solve: matrix of 2 rows with a right-hand side of 3; shapes [2, 2] and [3, 1] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)solve(a, zeros<float>({2})); }),
            "solve: the right-hand side is no matrix; shapes [2, 2] and [2] (here)");
}

TEST(Inverse, TimesTheMatrixIsTheIdentity) {
  for (const Device device : {Device::naive(), Device::cpu()}) {
    const Tensor<double> x(Shape{2, 2, 2}, {1, 2, 3, 4, 0, 5, 1, 0}, device);
    const auto y = inverse(x);
    expect_near(y, Tensor<double>({2, 2, 2}, {-2, 1, 1.5, -0.5, 0, 1, 0.2, 0}, device), 1e-15);
  }
  EXPECT_EQ(inverse(zeros<float>({3, 0, 0})).shape(), (Shape{3, 0, 0}));
}

}  // namespace solve_test
}  // namespace ddx
