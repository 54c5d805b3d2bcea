#include "ddx/ad/sparse/pattern.h"

#include "ddx/core/error.h"

#include "tests/support/thrown.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::sparsity_pattern_test {

using Indices = std::vector<std::size_t>;

TEST(SparsityPattern, SortsPlacesAndCountsEachOnce) {
  const SparsityPattern pattern(4, 5, {{3, 1}, {0, 4}, {3, 0}, {0, 4}, {0, 2}, {3, 1}});
  EXPECT_EQ(pattern.rows(), 4U);
  EXPECT_EQ(pattern.columns(), 5U);
  EXPECT_EQ(pattern.size(), 4U);
  EXPECT_EQ(pattern.row_starts(), (Indices{0, 2, 2, 2, 4}));
  EXPECT_EQ(pattern.column_indices(), (Indices{2, 4, 0, 1}));
  EXPECT_TRUE(pattern.contains(3, 0));
  EXPECT_FALSE(pattern.contains(3, 2));
  EXPECT_FALSE(pattern.contains(1, 0));
  EXPECT_EQ(pattern.find(0, 4), 1U);
  EXPECT_EQ(pattern.find(0, 3), pattern.size());
}

TEST(SparsityPattern, OfABandKeepsToTheMatrix) {
  const SparsityPattern band = SparsityPattern::banded(3, 4, 1, 2);
  EXPECT_EQ(band.row_starts(), (Indices{0, 3, 7, 10}));
  EXPECT_EQ(band.column_indices(), (Indices{0, 1, 2, 0, 1, 2, 3, 1, 2, 3}));
  EXPECT_EQ(SparsityPattern::dense(2, 3).column_indices(), (Indices{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(SparsityPattern::dense(5, 2).size(), 10U);
  EXPECT_EQ(SparsityPattern::banded(5, 2, 0, 0).column_indices(), (Indices{0, 1}));
  const std::size_t any = static_cast<std::size_t>(-1);
  EXPECT_EQ(SparsityPattern::banded(2, 3, any, any), SparsityPattern::dense(2, 3));
}

TEST(SparsityPattern, WithoutRowsOrColumnsIsEmpty) {
  EXPECT_EQ(SparsityPattern().rows(), 0U);
  EXPECT_EQ(SparsityPattern::dense(0, 3).columns(), 3U);
  EXPECT_EQ(SparsityPattern::dense(3, 0).row_starts(), (Indices{0, 0, 0, 0}));
  EXPECT_EQ(SparsityPattern::dense(0, 3).transposed(), SparsityPattern::dense(3, 0));
}

TEST(SparsityPattern, IsTransposedAndUnited) {
  const SparsityPattern pattern(2, 3, {{0, 2}, {1, 0}, {1, 2}});
  EXPECT_EQ(pattern.transposed(), SparsityPattern(3, 2, {{2, 0}, {0, 1}, {2, 1}}));
  EXPECT_EQ(pattern.transposed().transposed(), pattern);
  EXPECT_EQ(pattern.united(SparsityPattern(2, 3, {{0, 1}, {1, 2}})),
            SparsityPattern(2, 3, {{0, 1}, {0, 2}, {1, 0}, {1, 2}}));
}

TEST(SparsityPattern, ThrowsOutsideOfTheMatrix) {
  EXPECT_EQ(
      ddx::testing::thrown<ddx::UsageError>([] { (void)SparsityPattern(2, 3, {{0, 0}, {1, 3}}); }),
      "SparsityPattern: place (1, 3) of a matrix of 2 by 3");
  EXPECT_EQ(ddx::testing::thrown<ddx::UsageError>([] { (void)SparsityPattern(2, 3, {{2, 0}}); }),
            "SparsityPattern: place (2, 0) of a matrix of 2 by 3");
  const SparsityPattern pattern = SparsityPattern::dense(2, 3);
  EXPECT_EQ(ddx::testing::thrown<ddx::UsageError>([&] { (void)pattern.find(2, 0); }),
            "SparsityPattern: row 2 of a matrix with 2 rows");
  EXPECT_EQ(ddx::testing::thrown<ddx::UsageError>([&] { (void)pattern.contains(0, 3); }),
            "SparsityPattern: column 3 of a matrix with 3 columns");
  EXPECT_EQ(ddx::testing::thrown<ddx::UsageError>(
                [&] { (void)pattern.united(SparsityPattern::dense(3, 2)); }),
            "SparsityPattern::united: a matrix of 2 by 3 meets one of 3 by 2");
}

}  // namespace ddx::sparsity_pattern_test
