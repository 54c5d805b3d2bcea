#include "ddx/ad/sparse/matrix.h"

#include "ddx/core/error.h"

#include <gtest/gtest.h>
#include <vector>

namespace ddx::sparse_matrix_test {

SparseMatrix<double> example() {
  return {SparsityPattern(5, 3, {{1, 0}, {1, 2}, {3, 1}}), {5, 6, 7}};
}

TEST(SparseMatrix, IsZeroOutsideOfItsPattern) {
  const SparseMatrix<double> matrix = example();
  EXPECT_EQ(matrix.rows(), 5U);
  EXPECT_EQ(matrix.columns(), 3U);
  EXPECT_EQ(matrix.size(), 3U);
  EXPECT_EQ(matrix(1, 2), 6);
  EXPECT_EQ(matrix(3, 1), 7);
  EXPECT_EQ(matrix(1, 1), 0);
  EXPECT_THROW((void)matrix(5, 0), UsageError);
  EXPECT_THROW((void)matrix(0, 3), UsageError);
}

TEST(SparseMatrix, IsWalkedByRowsOfWhichSomeAreEmpty) {
  std::vector<SparseElement<double>> elements;
  for (const SparseElement<double>& element : example()) {
    elements.push_back(element);
  }
  EXPECT_EQ(elements, (std::vector<SparseElement<double>>{{1, 0, 5}, {1, 2, 6}, {3, 1, 7}}));
  const SparseMatrix<float> empty{SparsityPattern(3, 2, {}), {}};
  EXPECT_TRUE(empty.begin() == empty.end());
}

TEST(SparseMatrix, BecomesDense) {
  const auto dense = example().dense();
  EXPECT_EQ(dense.rows, 5U);
  EXPECT_EQ(dense.columns, 3U);
  EXPECT_EQ(dense.numbers, (std::vector<double>{0, 0, 0, 5, 0, 6, 0, 0, 0, 0, 7, 0, 0, 0, 0}));
  EXPECT_EQ(SparseMatrix<double>().dense().numbers.size(), 0U);
}

}  // namespace ddx::sparse_matrix_test
