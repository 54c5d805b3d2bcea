#include "ddx/tensor/fractional_pooling.h"

#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/pooling.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

namespace ddx {
namespace fractional_pooling_test {

using testing::thrown;
using Borders = std::vector<std::int64_t>;

/// How far the borders are from equal distances: least and largest of border i minus alpha i.
double spread(const Borders& borders) {
  const auto last = borders.size() - 1;
  const double alpha = static_cast<double>(borders[last]) / static_cast<double>(last);
  double least = 1e9;
  double largest = -1e9;
  for (std::size_t i = 1; i < last; ++i) {
    const double distance = static_cast<double>(borders[i]) - alpha * static_cast<double>(i);
    least = std::min(least, distance);
    largest = std::max(largest, distance);
  }
  return largest - least;
}

TEST(RegionBorders, DivideAnAxisIntoRegionsOfTwoSizes) {
  for (const bool pseudo_random : {false, true}) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      for (const auto& [extent, regions] : {std::pair{30, 20}, std::pair{7, 5}, std::pair{23, 6}}) {
        const Borders borders =
            detail::region_borders(extent, regions, pseudo_random, RandomKey(seed));
        ASSERT_EQ(borders.size(), static_cast<std::size_t>(regions) + 1);
        EXPECT_EQ(borders.front(), 0);
        EXPECT_EQ(borders.back(), extent);
        for (std::size_t i = 1; i < borders.size(); ++i) {
          EXPECT_GE(borders[i] - borders[i - 1], extent / regions);
          EXPECT_LE(borders[i] - borders[i - 1], extent / regions + 1);
        }
      }
    }
  }
}

// So that the shapes of what is pooled do not depend on the key.
TEST(RegionBorders, TheLargestRegionHasTheRoundedUpRatio) {
  for (const bool pseudo_random : {false, true}) {
    for (std::int64_t extent = 1; extent <= 40; ++extent) {
      for (std::int64_t regions = 1; regions <= extent; ++regions) {
        for (std::uint64_t seed = 0; seed < 5; ++seed) {
          const Borders borders =
              detail::region_borders(extent, regions, pseudo_random, RandomKey(seed));
          std::int64_t largest = 0;
          for (std::size_t i = 1; i < borders.size(); ++i) {
            largest = std::max(largest, borders[i] - borders[i - 1]);
          }
          ASSERT_EQ(largest, (extent + regions - 1) / regions) << extent << ", " << regions;
        }
      }
    }
  }
}

TEST(RegionBorders, PseudoRandomOnesAreNearlyEven) {
  double largest = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    EXPECT_LT(spread(detail::region_borders(30, 20, true, RandomKey(seed))), 1);
    largest = std::max(largest, spread(detail::region_borders(30, 20, false, RandomKey(seed))));
  }
  EXPECT_GT(largest, 1.5) << "those in random order are not";
}

TEST(RegionBorders, TheKeyDecides) {
  EXPECT_EQ(detail::region_borders(30, 20, false, RandomKey(3)),
            detail::region_borders(30, 20, false, RandomKey(3)));
  EXPECT_NE(detail::region_borders(30, 20, false, RandomKey(3)),
            detail::region_borders(30, 20, false, RandomKey(4)));
  EXPECT_EQ(detail::region_borders(6, 3, true, RandomKey(1)), (Borders{0, 2, 4, 6}));
}

TEST(FractionalMaxPool2D, TakesTheLargestOfEachRegion) {
  const auto x = random_normal<double>(RandomKey(1), {2, 7, 10, 3});
  for (const bool overlapping : {false, true}) {
    const FractionalPoolOptions options{.ratios = {1.4, 1.7}, .overlapping = overlapping};
    const RandomKey key(9);
    const auto y = fractional_max_pool2d(key, x, options);
    ASSERT_EQ(y.shape(), (Shape{2, 5, 5, 3}));
    const Borders rows = detail::region_borders(7, 5, false, key.fold_in(1));
    const Borders columns = detail::region_borders(10, 5, false, key.fold_in(2));
    const std::int64_t more = overlapping ? 1 : 0;
    for (std::int64_t p = 0; p < 5; ++p) {
      for (std::int64_t q = 0; q < 5; ++q) {
        double best = -1e9;
        const auto i = static_cast<std::size_t>(p);
        const auto j = static_cast<std::size_t>(q);
        for (std::int64_t r = rows[i]; r < std::min<std::int64_t>(rows[i + 1] + more, 7); ++r) {
          for (std::int64_t c = columns[j]; c < std::min<std::int64_t>(columns[j + 1] + more, 10);
               ++c) {
            best = std::max(best, x.elements()[static_cast<std::size_t>(((7 + r) * 10 + c) * 3)]);
          }
        }
        EXPECT_EQ(y.elements()[static_cast<std::size_t>(((5 + p) * 5 + q) * 3)], best);
      }
    }
  }
}

TEST(FractionalMaxPool2D, ByAWholeNumberIsOrdinaryPooling) {
  const auto x = random_normal<float>(RandomKey(1), {1, 6, 9, 2});
  EXPECT_EQ(fractional_max_pool2d(RandomKey(5), x, {.ratios = {2, 3}, .pseudo_random = true}),
            max_pool2d(x, {.size = {2, 3}}));
  EXPECT_EQ(fractional_max_pool2d(RandomKey(5), x, {.ratios = {1, 1}}), x);
}

TEST(FractionalMaxPool2D, NamesWhatDoesNotFit) {
  const auto x = zeros<float>({1, 6, 9, 2});
  EXPECT_EQ(thrown<UsageError>(
                [&] { (void)fractional_max_pool2d(RandomKey(1), x, {.ratios = {0.5, 2}}); }),
            "fractional_max_pool2d: ratio 0.500000 is not in [1, 6], the extent; shape [1, 6, 9, "
            "2] (here)");
  EXPECT_EQ(thrown<UsageError>(
                [&] { (void)fractional_max_pool2d(RandomKey(1), x, {.ratios = {2, 10}}); }),
            "fractional_max_pool2d: ratio 10.000000 is not in [1, 9], the extent; shape [1, 6, 9, "
            "2] (here)");
  EXPECT_EQ(
      thrown<UsageError>([&] { (void)fractional_max_pool2d(RandomKey(1), zeros<float>({6})); }),
      "fractional_max_pool2d: rank 1 is not 4; shape [6] (here)");
}

}  // namespace fractional_pooling_test
}  // namespace ddx
