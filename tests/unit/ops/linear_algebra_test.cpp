#include "ddx/ops/linear_algebra.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/ops/op.h"

#include "tests/support/thrown.h"

#include <gtest/gtest.h>

namespace ddx::ops {
namespace linear_algebra_test {

using ddx::testing::thrown;

const Site site{"test"};

TEST(LinearAlgebraShapes, LastTwoAxesAreMatrices) {
  const MatrixStack m = matrix_stack({2, 3, 4, 5});
  EXPECT_EQ(m.stack, 6);
  EXPECT_EQ(m.rows, 4);
  EXPECT_EQ(m.columns, 5);
  EXPECT_EQ(m.matrix(), 20);
  EXPECT_EQ(m.smaller(), 4);
  EXPECT_EQ(with_matrices({2, 3, 4, 5}, 7, 8), (Shape{2, 3, 7, 8}));
  EXPECT_EQ(with_vectors({2, 3, 4, 5}, 7), (Shape{2, 3, 7}));
  EXPECT_EQ(with_vectors({4, 5}, 7), (Shape{7}));
}

TEST(LinearAlgebraShapes, PlacesCountTheLastLeadingAxisFirst) {
  EXPECT_EQ(place_in_stack({2, 3, 4, 5}, 4), " [1, 1]");
  EXPECT_EQ(place_in_stack({7, 4, 5}, 4), " [4]");
  EXPECT_EQ(place_in_stack({4, 5}, 0), "");
}

TEST(LinearAlgebraShapes, SystemsThatDoNotFitAreNamed) {
  check_system(site, {3, 2, 2}, {3, 2, 4});
  EXPECT_EQ(thrown<UsageError>([] { check_system(site, {3, 2, 2}, {2, 4}); }),
            "test: leading axes differ; shapes [3, 2, 2] and [2, 4]");
  EXPECT_EQ(thrown<UsageError>([] { check_system(site, {2, 2}, {3, 4}); }),
            "test: matrix of 2 rows with a right-hand side of 3; shapes [2, 2] and [3, 4]");
  EXPECT_EQ(thrown<UsageError>([] { (void)checked_square(site, {2, 3}); }),
            "test: the matrices are not square; shape [2, 3]");
  EXPECT_EQ(thrown<UsageError>([] { (void)checked_matrices(site, {2}); }),
            "test: the operand is no matrix; shape [2]");
}

TEST(LinearAlgebraKernels, AreOfThisFamilyAndForFloatingNumbers) {
  EXPECT_NE(linear_algebra_reference(Op::qr, DType::f32), nullptr);
  EXPECT_EQ(linear_algebra_reference(Op::qr, DType::i32), nullptr);
  EXPECT_EQ(linear_algebra_reference(Op::matmul, DType::f32), nullptr);
}

}  // namespace linear_algebra_test
}  // namespace ddx::ops
