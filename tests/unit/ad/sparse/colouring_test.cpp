#include "ddx/ad/sparse/colouring.h"

#include "ddx/core/error.h"

#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ddx::colouring_test {

using Colours = std::vector<std::size_t>;

/// First row, first column and diagonal.
SparsityPattern arrow(std::size_t n) {
  std::vector<MatrixPlace> places;
  for (std::size_t i = 0; i < n; ++i) {
    places.insert(places.end(), {{0, i}, {i, 0}, {i, i}});
  }
  return {n, n, places};
}

SparsityPattern symmetric_of(std::size_t n, const std::vector<MatrixPlace>& edges) {
  std::vector<MatrixPlace> places;
  for (const auto& [i, j] : edges) {
    places.insert(places.end(), {{i, j}, {j, i}, {i, i}, {j, j}});
  }
  return {n, n, places};
}

/// Numbers without a pattern, the same in every run.
class Sequence {
 public:
  std::size_t below(std::size_t bound) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>(state_ >> 33U) % bound;
  }

 private:
  std::uint64_t state_ = 1;
};

/// The matrix with value 1 + 10 row + column (of the larger and the smaller, if symmetric), read
/// from the sums over each colour.
void expect_to_be_read(const Colouring& colouring) {
  const SparsityPattern& pattern = colouring.pattern();
  const bool by_rows = colouring.compression() == Compression::Rows;
  const auto value = [&](std::size_t i, std::size_t j) {
    if (colouring.compression() == Compression::Star && i < j) {
      std::swap(i, j);
    }
    return pattern.contains(i, j) ? 1 + 1000 * i + j : 0;
  };
  std::vector<std::size_t> values(pattern.size(), 0);
  std::set<std::size_t> positions;
  for (std::size_t colour = 0; colour < colouring.colours(); ++colour) {
    for (std::size_t at = colouring.source_starts()[colour];
         at < colouring.source_starts()[colour + 1]; ++at) {
      const auto& [index, position] = colouring.sources()[at];
      positions.insert(position);
      for (std::size_t k = 0; k < colouring.colour_of().size(); ++k) {
        if (colouring.colour_of()[k] == colour) {
          values[position] += by_rows ? value(k, index) : value(index, k);
        }
      }
    }
  }
  EXPECT_EQ(positions.size(), pattern.size());
  for (std::size_t i = 0; i < pattern.rows(); ++i) {
    for (std::size_t j = 0; j < pattern.columns(); ++j) {
      if (pattern.contains(i, j)) {
        EXPECT_EQ(values[pattern.find(i, j)], value(i, j)) << i << ", " << j;
      }
    }
  }
}

TEST(Colouring, OfKnownPatternsHasTheLeastColours) {
  EXPECT_EQ(column_colouring(SparsityPattern::banded(50, 50, 1, 1)).colours(), 3U);
  EXPECT_EQ(row_colouring(SparsityPattern::banded(50, 50, 1, 1)).colours(), 3U);
  EXPECT_EQ(column_colouring(SparsityPattern::banded(50, 50, 2, 3)).colours(), 6U);
  EXPECT_EQ(column_colouring(SparsityPattern::banded(50, 50, 0, 0)).colours(), 1U);
  EXPECT_EQ(column_colouring(arrow(20)).colours(), 20U);
  EXPECT_EQ(column_colouring(SparsityPattern::dense(4, 7)).colours(), 7U);
  EXPECT_EQ(row_colouring(SparsityPattern::dense(4, 7)).colours(), 4U);
  EXPECT_EQ(star_colouring(arrow(20)).colours(), 2U);
  EXPECT_EQ(star_colouring(SparsityPattern::dense(6, 6)).colours(), 6U);
  EXPECT_EQ(star_colouring(SparsityPattern::banded(9, 9, 0, 0)).colours(), 1U);
  // A path of three has two colours, a longer one three.
  EXPECT_EQ(star_colouring(SparsityPattern::banded(3, 3, 1, 1)).colours(), 2U);
  EXPECT_EQ(star_colouring(SparsityPattern::banded(4, 4, 1, 1)).colours(), 3U);
  EXPECT_EQ(star_colouring(SparsityPattern::banded(50, 50, 1, 1)).colours(), 3U);
  // The tip of an arrow may be anywhere.
  std::vector<MatrixPlace> edges;
  for (const std::size_t i : Colours{0, 1, 2, 4, 5}) {
    edges.push_back({3, i});
  }
  EXPECT_EQ(star_colouring(symmetric_of(6, edges)).colours(), 2U);
}

TEST(Colouring, FindsTwoColoursInAnyOrderOfTheColumns) {
  // Row k joins columns k and k + 3 of a ring of 8: 0 3 6 1 4 7 2 5.
  std::vector<MatrixPlace> places;
  for (std::size_t k = 0; k < 8; ++k) {
    places.insert(places.end(), {{k, k}, {k, (k + 3) % 8}});
  }
  EXPECT_EQ(column_colouring(SparsityPattern(8, 8, places)).colours(), 2U);
}

TEST(Colouring, OfAJacobianChoosesColumnsOrRows) {
  const SparsityPattern last_row(
      5, 5, {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 0}, {4, 1}, {4, 2}, {4, 3}, {4, 4}});
  EXPECT_EQ(jacobian_colouring(last_row).compression(), Compression::Rows);
  EXPECT_EQ(jacobian_colouring(last_row).colours(), 2U);
  EXPECT_EQ(jacobian_colouring(last_row.transposed()).compression(), Compression::Columns);
  EXPECT_EQ(jacobian_colouring(last_row.transposed()).colours(), 2U);
  EXPECT_EQ(jacobian_colouring(arrow(5)).compression(), Compression::Rows);
  EXPECT_EQ(jacobian_colouring(SparsityPattern::banded(9, 9, 1, 1)).compression(),
            Compression::Rows);
}

TEST(Colouring, GivesNoColourToEmptyColumns) {
  const SparsityPattern pattern(2, 4, {{0, 1}, {1, 3}, {0, 3}});
  EXPECT_EQ(column_colouring(pattern).colour_of(),
            (Colours{Colouring::none, 0, Colouring::none, 1}));
  for (const auto& [rows, columns] : {std::pair{0, 0}, {3, 0}, {0, 3}, {3, 3}}) {
    const SparsityPattern nothing(static_cast<std::size_t>(rows), static_cast<std::size_t>(columns),
                                  {});
    EXPECT_EQ(jacobian_colouring(nothing).colours(), 0U);
    EXPECT_EQ(row_colouring(nothing).colours(), 0U);
  }
  EXPECT_EQ(star_colouring(SparsityPattern(3, 3, {})).colours(), 0U);
}

TEST(Colouring, SeparatesWhatItReads) {
  Sequence sequence;
  for (int trial = 0; trial < 500; ++trial) {
    const std::size_t rows = 1 + sequence.below(12), columns = 1 + sequence.below(12);
    std::vector<MatrixPlace> places, edges;
    for (std::size_t k = sequence.below(30); k > 0; --k) {
      places.push_back({sequence.below(rows), sequence.below(columns)});
      edges.push_back({sequence.below(rows), sequence.below(rows)});
    }
    const SparsityPattern pattern(rows, columns, places);
    const Colouring by_columns = column_colouring(pattern), by_rows = row_colouring(pattern);
    expect_to_be_read(by_columns);
    expect_to_be_read(by_rows);
    const Colouring chosen = jacobian_colouring(pattern);
    expect_to_be_read(chosen);
    const bool fewer_columns = by_columns.colours() < by_rows.colours();
    EXPECT_EQ(chosen.compression(), fewer_columns ? Compression::Columns : Compression::Rows);
    EXPECT_EQ(chosen.colours(), fewer_columns ? by_columns.colours() : by_rows.colours());
    expect_to_be_read(star_colouring(symmetric_of(rows, edges)));
  }
}

TEST(Colouring, RefusesColoursThatDoNotSeparate) {
  const SparsityPattern pattern(2, 2, {{0, 0}, {0, 1}, {1, 1}});
  EXPECT_EQ(Colouring(pattern, Compression::Columns, {0, 1}).colours(), 2U);
  EXPECT_EQ(ddx::testing::thrown<ddx::UsageError>(
                [&] { (void)Colouring(pattern, Compression::Columns, {0, 0}); }),
            "Colouring: the element (0, 0) cannot be read from the sums of the colours");
  EXPECT_EQ(ddx::testing::thrown<ddx::UsageError>(
                [&] { (void)Colouring(pattern, Compression::Rows, {0, 0}); }),
            "Colouring: the element (0, 1) cannot be read from the sums of the colours");
  EXPECT_EQ(ddx::testing::thrown<ddx::UsageError>(
                [&] { (void)Colouring(pattern, Compression::Columns, {0, Colouring::none}); }),
            "Colouring: the element (0, 1) cannot be read from the sums of the colours");
  EXPECT_EQ(ddx::testing::thrown<ddx::UsageError>(
                [&] { (void)Colouring(pattern, Compression::Columns, {0, 1, 2}); }),
            "Colouring: 3 colours for 2 columns or rows");
  EXPECT_EQ(ddx::testing::thrown<ddx::UsageError>(
                [&] { (void)Colouring(pattern, Compression::Columns, {0, 2}); }),
            "Colouring: colour 2 for one of 2 columns or rows");
  // The path 0 1 2 3 with two colours is no star colouring.
  EXPECT_EQ(ddx::testing::thrown<ddx::UsageError>([] {
              (void)Colouring(SparsityPattern::banded(4, 4, 1, 1), Compression::Star, {0, 1, 0, 1});
            }),
            "Colouring: the element (1, 2) cannot be read from the sums of the colours");
}

TEST(Colouring, OfAHessianNeedsASymmetricPattern) {
  EXPECT_EQ(ddx::testing::thrown<ddx::UsageError>(
                [] { (void)star_colouring(SparsityPattern(3, 3, {{0, 0}, {2, 1}})); }),
            "star_colouring: the pattern is not symmetric: it has (2, 1) without (1, 2)");
  EXPECT_EQ(ddx::testing::thrown<ddx::UsageError>(
                [] { (void)star_colouring(SparsityPattern::dense(2, 3)); }),
            "star_colouring: a pattern of 2 by 3 is not symmetric");
}

}  // namespace ddx::colouring_test
