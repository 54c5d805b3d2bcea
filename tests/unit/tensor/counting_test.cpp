#include "ddx/tensor/counting.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace ddx {
namespace counting_test {

using testing::thrown;
using Ints = Tensor<std::int32_t>;

const Tensor<float> matrix{{1, 2, 3}, {4, 5, 6}};

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

TEST(Unique, FindsValuesPlacesAndCounts) {
  const auto found = unique(Ints{{3, 1, 3}, {7, 1, 3}});
  EXPECT_EQ(found.values, (Ints{1, 3, 7}));
  EXPECT_EQ(found.inverse, (Ints{{1, 0, 1}, {2, 0, 1}}));
  EXPECT_EQ(found.counts, (Ints{2, 3, 1}));
  EXPECT_EQ(unique(Tensor<float>{nan, 1, nan}).counts, (Ints{1, 2}));
  EXPECT_EQ(unique(Tensor<bool>{true, true}).values, (Tensor<bool>{true}));
  EXPECT_EQ(unique(Tensor<float>({0}, std::vector<float>())).values.shape(), (Shape{0}));
}

TEST(Bincount, CountsEachNumber) {
  EXPECT_EQ(bincount(Ints{{0, 2}, {2, 2}}, 4), (Ints{1, 0, 3, 0}));
  EXPECT_EQ(thrown<UsageError>([] { (void)bincount(Ints{0, 4}, 4); }),
            "bincount: element 4 at position 1 is not in [0, 4) (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)bincount(Ints{0}, -1); }),
            "bincount: count -1 is negative; shape [1] (here)");
}

TEST(Histogram, CountsPerBinAndIncludesTheEnd) {
  const Tensor<double> x{0, 0.5, 1, 1.5, 2, -1, 9};
  EXPECT_EQ(histogram(x, {.bins = 2, .low = 0, .high = 2}), (Ints{2, 3}));
  EXPECT_EQ(histogram(Tensor<double>{1, 2, 5}, {.bins = 4}), (Ints{1, 1, 0, 1}));
  EXPECT_EQ(histogram(Tensor<float>{3, 3, nan}, {.bins = 3}), (Ints{0, 2, 0}));
  EXPECT_EQ(thrown<UsageError>([&] { (void)histogram(x, {.bins = 0}); }),
            "histogram: 0 bins from -1.000000 to 9.000000 are no range; shape [7] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)histogram(x, {.low = 1, .high = 0}); }),
            "histogram: 10 bins from 1.000000 to 0.000000 are no range; shape [7] (here)");
}

}  // namespace counting_test
}  // namespace ddx
