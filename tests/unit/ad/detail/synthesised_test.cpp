#include "ddx/ad/detail/synthesised.h"

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace ddx::detail {
namespace synthesised_test {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// As the compiler declares a tangent for a class that names none: one knows the shape, one is a
/// plain struct of numbers.
struct Samples {
  std::vector<double> values;
};

struct SamplesTangent {
  std::vector<double> values;

  static SamplesTangent ddx_shaped_like(const Samples& primal) {
    return {std::vector<double>(primal.values.size())};
  }
};

TEST(Scaled, IsTheProduct) {
  EXPECT_EQ(scaled(3.0, -0.5), -1.5);
  EXPECT_EQ(scaled(2.0F, 0.25), 0.5F);
  EXPECT_EQ(scaled(-1.0, infinity), -infinity);
}

TEST(Scaled, AZeroCotangentSpreadsNothing) {
  EXPECT_EQ(scaled(0.0, infinity), 0.0);
  EXPECT_EQ(scaled(0.0, nan), 0.0);
  EXPECT_EQ(scaled(-0.0, -infinity), 0.0);
}

TEST(Scaled, ANanPartialOfAUsedValueIsSeen) {
  EXPECT_TRUE(std::isnan(scaled(1e-300, nan)));
}

TEST(Scaled, ANanCotangentIsSeen) {
  EXPECT_TRUE(std::isnan(scaled(nan, 0.0)));
}

TEST(ZerosShapedLike, OfADifferentiableValueAreItsZeros) {
  EXPECT_EQ((zeros_shaped_like<std::vector<double>>(std::vector<double>{4, 5})),
            (std::vector<double>{0, 0}));
}

TEST(ZerosShapedLike, ASynthesisedTangentShapesItself) {
  EXPECT_EQ(zeros_shaped_like<SamplesTangent>(Samples{{1, 2, 3}}).values,
            (std::vector<double>{0, 0, 0}));
}

TEST(ZerosShapedLike, EachElementHasItsOwnShape) {
  const std::vector<Samples> primal = {{{1, 2}}, {{}}, {{3}}};
  const auto zeros = zeros_shaped_like<std::vector<SamplesTangent>>(primal);
  ASSERT_EQ(zeros.size(), 3U);
  EXPECT_EQ(zeros[0].values, (std::vector<double>{0, 0}));
  EXPECT_TRUE(zeros[1].values.empty());
  EXPECT_EQ(zeros[2].values, (std::vector<double>{0}));
}

TEST(ZerosShapedLike, AnArrayKeepsItsLength) {
  const std::array<Samples, 2> primal = {{{{1}}, {{2, 3}}}};
  const auto zeros = zeros_shaped_like<std::array<SamplesTangent, 2>>(primal);
  EXPECT_EQ(zeros[0].values.size(), 1U);
  EXPECT_EQ(zeros[1].values.size(), 2U);
}

TEST(OldElements, HoldTheShapesOfWhatIsDroppedAlone) {
  using Rows = std::vector<std::vector<double>>;
  Arena arena;
  const Rows primal = {{1}, {2, 3}, {4}};
  const auto shrunk = old_elements<Rows>(arena, primal, 1);
  EXPECT_EQ(shrunk.size, 3U);
  EXPECT_EQ(*shrunk.dropped, (Rows{{0, 0}, {0}}));
  Rows tangent = {{5}};
  restore_elements(tangent, shrunk);
  EXPECT_EQ(tangent, (Rows{{5}, {0, 0}, {0}}));
  const auto grown = old_elements<Rows>(arena, primal, 7);
  EXPECT_EQ(grown.dropped, nullptr);
  tangent.resize(7);
  restore_elements(tangent, grown);
  EXPECT_EQ(tangent, (Rows{{5}, {0, 0}, {0}}));
}

TEST(ShapeLike, OverwritesWhatWasThere) {
  SamplesTangent tangent{{7, 8, 9}};
  shape_like(tangent, Samples{{1}});
  EXPECT_EQ(tangent.values, (std::vector<double>{0}));
}

TEST(ShapeLike, FillsABuiltInArray) {
  SamplesTangent tangent[2] = {{{7}}, {{8}}};
  const Samples primal[2] = {{{1, 2}}, {{3}}};
  shape_like(tangent, primal);
  EXPECT_EQ(tangent[0].values, (std::vector<double>{0, 0}));
  EXPECT_EQ(tangent[1].values, (std::vector<double>{0}));
}

}  // namespace synthesised_test
}  // namespace ddx::detail
