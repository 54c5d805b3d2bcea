#include "ddx/ad/detail/copy_range.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace ddx::detail {
namespace copy_range_test {

std::vector<double> numbers(std::size_t count) {
  std::vector<double> result(count);
  std::iota(result.begin(), result.end(), 0.0);
  return result;
}

TEST(CopyRange, CopiesTheElementsOfAllIterations) {
  Arena arena;
  const auto array = numbers(40);
  for (const std::size_t trips : {1U, 5U, 30U}) {
    const double* const copy = copy_range<double>(arena, array.data(), 3, trips, 2);
    for (std::size_t i = 0; i < trips + 2; ++i) {
      EXPECT_EQ(copy[i], array[3 + i]);
    }
  }
  EXPECT_EQ(copy_range<double>(arena, array.data(), 1000, 0, 2), nullptr);
}

TEST(CopyRows, KeepsEachRowOnce) {
  Arena arena;
  const auto array = numbers(100);
  // Rows of 10; cells (1, 1) to (3, 4), each with its four neighbours.
  const Rows<double> rows =
      copy_rows<double>(arena, array.data(), 11, 10, 3, 4, {{-1, 0, 0}, {0, -1, 1}, {1, 0, 0}});
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      const double cell = array[(i + 1) * 10 + j + 1];
      EXPECT_EQ(rows.row(i + 1)[j + 1], cell);
      EXPECT_EQ(rows.row(i)[j + 1], cell - 10);
      EXPECT_EQ(rows.row(i + 2)[j + 1], cell + 10);
      EXPECT_EQ(rows.row(i + 1)[j], cell - 1);
      EXPECT_EQ(rows.row(i + 1)[j + 2], cell + 1);
    }
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(rows.row(i)) % Arena::cache_line, 0U);
  }
}

TEST(CopyRows, ReadsNothingThatNoPartAsksFor) {
  Arena arena;
  // The corners of the grid are missing at either end of the array.
  const auto array = numbers(7);
  const Rows<double> rows =
      copy_rows<double>(arena, array.data(), 3, 3, 1, 1, {{-1, 0, 0}, {0, -1, 1}, {1, 0, 0}});
  EXPECT_EQ(rows.row(0)[1], 0);
  EXPECT_EQ(rows.row(1)[0], 2);
  EXPECT_EQ(rows.row(1)[2], 4);
  EXPECT_EQ(rows.row(2)[1], 6);
  EXPECT_EQ((copy_rows<double>(arena, array.data(), 0, 3, 0, 1, {{0, 0, 0}}).first), nullptr);
  EXPECT_EQ((copy_rows<double>(arena, array.data(), 0, 3, 1, 0, {{0, 0, 0}}).first), nullptr);
}

TEST(CopyRows, LeavesOutRowsBetween) {
  Arena arena;
  const auto array = numbers(30);
  const Rows<double> rows =
      copy_rows<double>(arena, array.data(), 0, 5, 1, 2, {{0, 0, 0}, {4, 2, 3}});
  EXPECT_EQ(rows.row(0)[1], 1);
  EXPECT_EQ(rows.row(4)[2], 22);
  EXPECT_EQ(rows.row(4)[4], 24);
}

}  // namespace copy_range_test
}  // namespace ddx::detail
