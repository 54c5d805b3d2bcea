#include "ddx/ad/detail/accumulate.h"

#include "ddx/ad/differentiable.h"
#include "ddx/core/error.h"

#include "tests/support/thrown.h"
#include "tests/unit/ad/leaf.h"

#include <array>
#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace accumulate_test {

using ddx::NoTangent;
using ddx::detail::accumulate;
using ddx::testing::Leaf;

struct Line {
  double slope;
  std::vector<double> offsets;
  DDX_DIFFERENTIABLE(Line, slope, offsets)
};

TEST(Accumulate, AddsEveryKindOfTangent) {
  std::tuple<float, NoTangent, std::array<double, 2>, std::pair<double, Leaf>> into{
      1.0F, {}, {1.0, 2.0}, {3.0, {{4.0}}}};
  const auto from = into;
  accumulate(into, from);
  EXPECT_EQ(std::get<0>(into), 2.0F);
  EXPECT_EQ(std::get<2>(into), (std::array{2.0, 4.0}));
  EXPECT_EQ(std::get<3>(into).first, 6.0);
  EXPECT_EQ(std::get<3>(into).second, Leaf{{8.0}});
}

TEST(Accumulate, AddsCArrays) {
  double into[2][2] = {{1.0, 2.0}, {3.0, 4.0}};
  const double from[2][2] = {{10.0, 20.0}, {30.0, 40.0}};
  accumulate(into, from);
  EXPECT_EQ(into[0][1], 22.0);
  EXPECT_EQ(into[1][0], 33.0);
}

TEST(Accumulate, AnEmptyVectorIsZerosOfAnyLength) {
  std::vector<double> into;
  accumulate(into, std::vector{1.0, 2.0});
  EXPECT_EQ(into, (std::vector{1.0, 2.0}));
  const std::vector<double> nothing;
  accumulate(into, nothing);
  EXPECT_EQ(into, (std::vector{1.0, 2.0}));
}

TEST(Accumulate, ATangentAddedToItselfDoubles) {
  Line::TangentVector tangent{1.0, {2.0, 3.0}};
  accumulate(tangent, tangent);
  EXPECT_EQ(tangent.slope, 2.0);
  EXPECT_EQ(tangent.offsets, (std::vector{4.0, 6.0}));
  std::vector<double> empty;
  accumulate(empty, empty);
  EXPECT_TRUE(empty.empty());
}

TEST(Accumulate, AnArrayOfAClassAddsElementByElement) {
  std::vector<Line::TangentVector> into{{1.0, {}}, {2.0, {1.0}}};
  accumulate(into, into);
  EXPECT_EQ(into[0].slope, 2.0);
  EXPECT_TRUE(into[0].offsets.empty());
  EXPECT_EQ(into[1].offsets, std::vector{2.0});
}

TEST(Accumulate, ATemporaryLendsItsMemory) {
  std::pair<double, std::vector<double>> into{1.0, {}};
  std::pair<double, std::vector<double>> from{2.0, std::vector<double>(100)};
  const double* const memory = from.second.data();
  accumulate(into, std::move(from));
  EXPECT_EQ(into.first, 3.0);
  EXPECT_EQ(into.second.data(), memory);
}

TEST(Accumulate, ALoanOfAnotherObjectsMemoryNeedsATemporary) {
  std::pair<double, std::vector<double>> into{1.0, {}};
  std::pair<double, std::vector<double>> from{2.0, std::vector<double>(100)};
  accumulate(into, from);
  EXPECT_EQ(from.second.size(), 100U);
  EXPECT_NE(into.second.data(), from.second.data());
}

TEST(Accumulate, DifferentLengthsThrow) {
  std::vector<double> into{1.0, 2.0, 3.0};
  try {
    accumulate(into, std::vector{1.0, 2.0});
    FAIL() << "lengths 3 and 2 were added";
  } catch (const ddx::UsageError& error) {
    EXPECT_EQ(ddx::testing::without_called_at(error.what()),
              "accumulate: a tangent of 3 elements meets one of 2");
  }
}

}  // namespace accumulate_test
