#include "ddx/data/bucketed_order.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/data/epoch.h"

#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace ddx::data {
namespace bucketed_order_test {

using ddx::testing::message_of;
using Numbers = std::vector<std::int64_t>;

/// Sizes 0, 37, 74, ... modulo 101: all different.
Numbers sizes_of(std::int64_t count) {
  Numbers sizes;
  for (std::int64_t i = 0; i < count; ++i) {
    sizes.push_back(i * 37 % 101);
  }
  return sizes;
}

Numbers sorted(Numbers numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

TEST(BucketedOrder, HasEachSampleOnceAndFollowsTheKey) {
  const auto sizes = sizes_of(100);
  const BucketOptions options{.batch_size = 4, .batches_per_sort = 5};
  const auto order = bucketed_order(sizes, options, RandomKey(1));
  EXPECT_EQ(sorted(order), plain_order(100));
  EXPECT_EQ(order, bucketed_order(sizes, options, RandomKey(1)));
  EXPECT_NE(order, bucketed_order(sizes, options, RandomKey(2)));
}

TEST(BucketedOrder, SortsWithinEachRunAndNotBeyond) {
  const auto sizes = sizes_of(100);
  const auto order = bucketed_order(sizes, {.batch_size = 4, .batches_per_sort = 5}, RandomKey(1));
  int rises = 0;
  for (std::size_t i = 1; i < order.size(); ++i) {
    const bool rise =
        sizes[static_cast<std::size_t>(order[i])] > sizes[static_cast<std::size_t>(order[i - 1])];
    // Five runs of twenty: only where one ends can the next begin with something larger.
    EXPECT_TRUE(!rise || i % 20 == 0) << i;
    rises += rise ? 1 : 0;
  }
  EXPECT_EQ(rises, 4);
}

TEST(BucketedOrder, BeginsWithTheLargestSample) {
  const auto sizes = sizes_of(101);
  const auto largest = std::max_element(sizes.begin(), sizes.end()) - sizes.begin();
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_EQ(bucketed_order(sizes, {.batch_size = 3, .batches_per_sort = 2}, RandomKey(seed))[0],
              largest);
  }
}

TEST(BucketedOrder, SamplesOfOneSizeAreInRandomOrder) {
  const Numbers sizes(4, 7);
  std::array<int, 4> counts{};
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    ++counts[static_cast<std::size_t>(
        bucketed_order(sizes, {.batch_size = 2}, RandomKey(seed)).back())];
  }
  for (const int count : counts) {
    EXPECT_NEAR(count, 1000, 150);  // standard deviation 27
  }
}

TEST(BucketedOrder, ExtremeOptionsSortEverythingOrNothing) {
  const auto sizes = sizes_of(50);
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  for (const BucketOptions& options : {BucketOptions{.batch_size = most, .batches_per_sort = most},
                                       BucketOptions{.batch_size = 1, .batches_per_sort = most},
                                       BucketOptions{.batch_size = most, .batches_per_sort = 1}}) {
    EXPECT_EQ(bucketed_order(sizes, options, RandomKey(1)), size_order(sizes));
  }
  EXPECT_NE(bucketed_order(sizes, {.batch_size = 1, .batches_per_sort = 1}, RandomKey(1)),
            size_order(sizes));
  EXPECT_EQ(bucketed_order({}, {}, RandomKey(1)), Numbers());
  EXPECT_EQ(bucketed_order(Numbers{5}, {}, RandomKey(1)), Numbers{0});
}

TEST(BucketedOrder, ImpossibleOptionsAreAnError) {
  EXPECT_EQ(
      message_of<UsageError>([] { (void)bucketed_order({}, {.batch_size = 0}, RandomKey(1)); }),
      "bucketed_order: batch_size is 0, at least 1 is required");
  EXPECT_EQ(message_of<UsageError>(
                [] { (void)bucketed_order({}, {.batches_per_sort = -1}, RandomKey(1)); }),
            "bucketed_order: batches_per_sort is -1, at least 1 is required");
}

TEST(SizeOrder, FallsAndKeepsTheOrderOfEqualOnes) {
  EXPECT_EQ(size_order(Numbers{3, 5, 3, 9, 5}), (Numbers{3, 1, 4, 0, 2}));
  EXPECT_EQ(size_order({}), Numbers());
}

}  // namespace bucketed_order_test
}  // namespace ddx::data
