#include "ddx/tensor/triangular_solve.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/norm.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/near_tensors.h"
#include "tests/support/thrown.h"

#include <gtest/gtest.h>

namespace ddx {
namespace triangular_solve_test {

using testing::expect_near;
using testing::thrown;

// Both triangles of one matrix; b such that x = (1, 2) solves each system.
const Tensor<double> both{{2, 3}, {1, 4}};

TEST(TriangularSolve, ReadsTheTriangleThatIsAskedFor) {
  const Tensor<double> x{{1}, {2}};
  EXPECT_EQ(triangular_solve(both, Tensor<double>{{2}, {9}}), x);
  EXPECT_EQ(triangular_solve(both, Tensor<double>{{8}, {8}}, {.lower = false}), x);
  EXPECT_EQ(triangular_solve(both, Tensor<double>{{4}, {8}}, {.adjoint = true}), x);
  EXPECT_EQ(triangular_solve(both, Tensor<double>{{2}, {11}}, {.lower = false, .adjoint = true}),
            x);
  EXPECT_EQ(triangular_solve(both, Tensor<double>{{1}, {3}}, {.unit_diagonal = true}), x);
}

TEST(TriangularSolve, StretchesLeadingAxes) {
  const Tensor<double> sides({2, 2, 1}, {2, 9, 4, 18});
  EXPECT_EQ(triangular_solve(both, sides), Tensor<double>({2, 2, 1}, {1, 2, 2, 4}));
  const auto stacked = broadcast_to(both, {3, 1, 2, 2});
  const auto x = triangular_solve(stacked, sides);
  EXPECT_EQ(x.shape(), (Shape{3, 2, 2, 1}));
  EXPECT_EQ((x[{2, 1, 1, 0}]), 4);
}

TEST(TriangularSolve, SolvesNothing) {
  EXPECT_EQ(triangular_solve(zeros<float>({0, 0}), zeros<float>({0, 3})).shape(), (Shape{0, 3}));
  EXPECT_EQ(triangular_solve(both, zeros<double>({2, 0})).shape(), (Shape{2, 0}));
  EXPECT_EQ(triangular_solve(zeros<float>({0, 2, 2}), zeros<float>({0, 2, 1})).shape(),
            (Shape{0, 2, 1}));
}

TEST(TriangularSolve, IsAccurateForAnIllConditionedTriangle) {
  // Substitution is backward stable: the residual is small however large the condition.
  for (const Device device : {Device::naive(), Device::cpu()}) {
    const auto t = band_part(testing::hilbert<double>(8, device), -1, 0);
    const Tensor<double> b(Shape{8, 1}, {1, -1, 1, -1, 1, -1, 1, -1}, device);
    const auto x = triangular_solve(t, b);
    expect_near(matmul(t, x) / norm(x), b / norm(x), 1e-15);
  }
}

TEST(TriangularSolve, NamesTheZeroOnTheDiagonal) {
  const Tensor<double> singular{{{1, 0}, {1, 1}}, {{1, 0}, {1, 0}}};
  EXPECT_EQ(thrown<UsageError>([&] { (void)triangular_solve(singular, zeros<double>({2, 1})); }),
            "triangular_solve: matrix [1] is singular: zero on its diagonal at 1; shape [2, 2, 2] "
            "(here)");
  EXPECT_EQ(triangular_solve(singular, ones<double>({2, 1}), {.unit_diagonal = true}).shape(),
            (Shape{2, 2, 1}));
}

TEST(TriangularSolve, NamesWhatDoesNotFit) {
  const auto b = zeros<double>({2, 1});
  EXPECT_EQ(thrown<UsageError>([&] { (void)triangular_solve(zeros<double>({2, 3}), b); }),
            "triangular_solve: the matrices are not square; shape [2, 3] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)triangular_solve(zeros<double>({2}), b); }),
            "triangular_solve: the operand is no matrix; shape [2] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)triangular_solve(both, zeros<double>({2})); }),
            "triangular_solve: the right-hand side is no matrix; shapes [2, 2] and [2] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)triangular_solve(both, zeros<double>({3, 1})); }),
            "triangular_solve: matrix of 2 rows with a right-hand side of 3; shapes [2, 2] and "
            "[3, 1] (here)");
  EXPECT_EQ(thrown<UsageError>([&] {
              (void)triangular_solve(zeros<double>({3, 2, 2}), zeros<double>({4, 2, 1}));
            }),
            "triangular_solve: leading axes differ; shapes [3, 2, 2] and [4, 2, 1] (here)");
  EXPECT_EQ(thrown<UsageError>(
                [&] { (void)triangular_solve(both.to(Device::naive()), b.to(Device::cpu())); }),
            "triangular_solve: operands lie on devices naive and cpu; shapes [2, 2] and [2, 1] "
            "(here)");
}

}  // namespace triangular_solve_test
}  // namespace ddx
