// Grey-value morphology: recordings of SciPy, hand-made examples, and what does not fit.

#include "ddx/tensor/morphology.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_windows.h"
#include "tests/support/thrown.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <source_location>
#include <tuple>
#include <vector>

namespace ddx {
namespace morphology_test {

using testing::numbers;
using testing::shape_in;
using testing::thrown;
using Doubles = Tensor<double>;

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Morphology, GivesTheValuesThatWereRecorded) {
  const auto rows = testing::recorded_windows("morphology");
  ASSERT_EQ(rows.size(), 2U);
  for (const auto& row : rows) {
    const Doubles x = numbers(shape_in(row, "x"), 1);
    const Doubles filter = numbers(shape_in(row, "filter"), 30);
    testing::expect_in(row, "dilation", dilation2d(x, filter));
    testing::expect_in(row, "erosion", erosion2d(x, filter));
  }
}

TEST(Dilation2D, AddsTheFilterWithoutMirroringIt) {
  const Doubles x({1, 1, 4, 1}, {0, 5, 1, 1});
  const Doubles filter({1, 2, 1}, {0, 3});
  EXPECT_EQ(dilation2d(x, filter).values(), (std::vector<double>{8, 5, 4}));
  EXPECT_EQ(dilation2d(x, filter, {.padding = Padding::Same}).values(),
            (std::vector<double>{8, 5, 4, 1}))
      << "padding does not count";
  EXPECT_EQ(dilation2d(x, filter, {.strides = {1, 2}}).values(), (std::vector<double>{8, 4}));
  EXPECT_EQ(dilation2d(x, filter, {.dilations = {1, 3}}).values(), (std::vector<double>{4}));
}

TEST(Erosion2D, SubtractsTheMirroredFilter) {
  const Doubles x({1, 1, 4, 1}, {0, 5, 1, 1});
  const Doubles filter({1, 2, 1}, {0, 3});
  // min(0 - 3, 5 - 0), min(5 - 3, 1), min(1 - 3, 1)
  EXPECT_EQ(erosion2d(x, filter).values(), (std::vector<double>{-3, 1, -2}));
}

TEST(Dilation2D, GivesTheCotangentToTheFirstLargestSum) {
  const Doubles x({1, 1, 3, 1}, {3, 0, 3});
  const Doubles filter({1, 2, 1}, {0, 3});
  const auto [y, pullback] = detail::grey_dilation_vjp(
      x, filter, detail::motion_of("dilation2d", MorphologyOptions{}), std::source_location());
  EXPECT_EQ(y.values(), (std::vector<double>{3, 6}));
  const auto [dx, dfilter] = pullback(Doubles({1, 1, 2, 1}, {10, 1}), Wanted<2>::all());
  EXPECT_EQ(dx.values(), (std::vector<double>{10, 0, 1})) << "3 + 0 comes before 0 + 3";
  EXPECT_EQ(dfilter.values(), (std::vector<double>{10, 1}));
}

TEST(Dilation2D, OfPaddingAloneIsMinusInfinity) {
  const Doubles x({1, 1, 1, 1}, {7});
  const Doubles filter = zeros<double>({2, 2, 1});
  const MorphologyOptions options{.padding = Padding::Same, .dilations = {2, 2}};
  EXPECT_EQ(dilation2d(x, filter, options).values(), (std::vector<double>{-infinity}));
  EXPECT_EQ(erosion2d(x, filter, options).values(), (std::vector<double>{infinity}));
  const auto vjp = detail::grey_dilation_vjp(x, filter, detail::motion_of("dilation2d", options),
                                             std::source_location());
  const auto [dx, dfilter] = vjp.pullback(ones<double>({1, 1, 1, 1}), Wanted<2>::all());
  EXPECT_EQ(dx, zeros<double>({1, 1, 1, 1}));
  EXPECT_EQ(dfilter, zeros<double>({2, 2, 1}));
}

TEST(Dilation2D, ANaNWins) {
  const Doubles x({1, 1, 3, 1}, {1, NAN, 2});
  EXPECT_TRUE(std::isnan(dilation2d(x, zeros<double>({1, 3, 1})).item()));
}

TEST(Morphology, NamesWhatDoesNotFit) {
  const auto x = zeros<float>({1, 4, 5, 3});
  EXPECT_EQ(thrown<UsageError>([&] { (void)dilation2d(x, zeros<float>({2, 2, 2})); }),
            "dilation2d: channels 3 and 2 differ; shapes [1, 4, 5, 3] and [2, 2, 2] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)erosion2d(x, zeros<float>({3})); }),
            "erosion2d: ranks 4 and 1 are not 4 and 3; shapes [1, 4, 5, 3] and [3] (here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)erosion2d(x, zeros<float>({5, 1, 3})); }),
            "erosion2d: extent 4 with padding 0 is smaller than the window, 5; shapes [1, 4, 5, 3] "
            "and [5, 1, 3] (here)");
}

}  // namespace morphology_test
}  // namespace ddx
