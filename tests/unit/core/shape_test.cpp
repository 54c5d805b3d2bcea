#include "ddx/core/shape.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"

#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <source_location>
#include <span>
#include <vector>

namespace ddx {
namespace shape_test {

using testing::thrown;

TEST(Shape, CountIsTheProductOfTheExtents) {
  EXPECT_EQ(Shape{}.count(), 1);
  EXPECT_EQ((Shape{2, 3, 4}).count(), 24);
  EXPECT_EQ((Shape{2, 0, 4}).count(), 0);
}

TEST(Shape, EqualityLooksAtRankAndExtents) {
  EXPECT_EQ((Shape{2, 3}), (Shape{2, 3}));
  EXPECT_NE((Shape{2, 3}), (Shape{3, 2}));
  EXPECT_NE((Shape{0}), (Shape{}));
  EXPECT_NE((Shape{2}), (Shape{2, 0}));
}

TEST(Shape, PrintsAsAList) {
  EXPECT_EQ(to_string(Shape{}), "[]");
  EXPECT_EQ(to_string(Shape{2, 3}), "[2, 3]");
}

TEST(Shape, RejectsNegativeExtentsAndTooManyAxes) {
  EXPECT_EQ(thrown<UsageError>([] { (void)Shape{2, -3}; }),
            "shape: axis 1: extent -3 is negative (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)Shape{1, 1, 1, 1, 1, 1, 1, 1, 1}; }),
            "shape: rank 9 exceeds the largest supported, 8 (here)");
}

TEST(Shape, IsEmptyWithAnExtentOfZero) {
  EXPECT_TRUE((Shape{3, 0, 2}).is_empty());
  EXPECT_FALSE((Shape{3, 2}).is_empty());
  EXPECT_FALSE(Shape{}.is_empty());
}

TEST(Shape, HoldsNoMoreElementsThanBytesCanCount) {
  constexpr std::int64_t most = (std::int64_t{1} << 59) - 1;
  EXPECT_EQ(Shape{most}.count(), most);
  EXPECT_EQ((Shape{1, most, 1}).count(), most);
  for (const auto& type : dtype_table) {
    std::int64_t bytes = 0;
    EXPECT_FALSE(__builtin_mul_overflow(most, static_cast<std::int64_t>(type.bytes), &bytes));
  }
  EXPECT_EQ(thrown<UsageError>([] { (void)Shape{most + 1}; }),
            "shape: extents [576460752303423488] multiply to more than 576460752303423487 (here)");
  // 4 (2^62 + 1) is 4 modulo 2^64, and 2^32 * 2^32 is 0.
  EXPECT_EQ(
      thrown<UsageError>([] { (void)Shape{(std::int64_t{1} << 62) + 1, 4}; }),
      "shape: extents [4611686018427387905, 4] multiply to more than 576460752303423487 (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)Shape{std::int64_t{1} << 32, std::int64_t{1} << 32}; }),
            "shape: extents [4294967296, 4294967296] multiply to more than 576460752303423487 "
            "(here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)Shape{2, std::numeric_limits<std::int64_t>::max()}; }),
            "shape: extents [2, 9223372036854775807] multiply to more than 576460752303423487 "
            "(here)");
}

TEST(Shape, HasStridesThatFitThoughItIsEmpty) {
  constexpr std::int64_t wide = std::int64_t{1} << 40;
  EXPECT_EQ(
      thrown<UsageError>([] { (void)Shape{wide, 0, wide}; }),
      "shape: extents [1099511627776, 0, 1099511627776] multiply to more than 576460752303423487, "
      "those of 0 left out (here)");
  EXPECT_EQ((Shape{wide, 0}).count(), 0);
}

TEST(Shape, NamesTheOperationThatMakesIt) {
  const std::vector<std::int64_t> extents{std::int64_t{1} << 40, std::int64_t{1} << 40};
  EXPECT_EQ(
      thrown<UsageError>([&] { (void)Shape(extents, "pad", std::source_location::current()); }),
      "pad: extents [1099511627776, 1099511627776] multiply to more than 576460752303423487 "
      "(here)");
  EXPECT_EQ(
      thrown<UsageError>([&] { (void)Shape(std::span<const std::int64_t>(extents)); }),
      "shape: extents [1099511627776, 1099511627776] multiply to more than 576460752303423487");
}

TEST(Broadcast, RejectsAResultThatIsTooLarge) {
  constexpr std::int64_t wide = std::int64_t{1} << 40;
  EXPECT_EQ(
      thrown<UsageError>([] {
        (void)broadcast({wide, 1, 0}, {1, wide, 0}, "add", std::source_location::current());
      }),
      "add: extents [1099511627776, 1099511627776, 0] multiply to more than 576460752303423487, "
      "those of 0 left out (here)");
}

TEST(Strides, OfADenseArrayEndWithOne) {
  EXPECT_EQ(dense_strides({2, 3, 4}), (Strides{12, 4, 1}));
  EXPECT_EQ(dense_strides({}), Strides{});
}

TEST(Strides, AreZeroWhereBroadcastingRepeats) {
  EXPECT_EQ(broadcast_strides({3, 1}, {2, 3, 4}), (Strides{0, 1, 0}));
  EXPECT_EQ(broadcast_strides({4}, {2, 3, 4}), (Strides{0, 0, 1}));
  EXPECT_EQ(broadcast_strides({}, {5}), Strides{});
}

TEST(Broadcast, StretchesMissingAxesAndAxesOfOne) {
  struct Case {
    const char* why;
    Shape a, b, expected;
  };
  for (const Case& c :
       {Case{"equal", {2, 3}, {2, 3}, {2, 3}}, Case{"scalar with anything", {}, {2, 3}, {2, 3}},
        Case{"a missing axis counts as 1", {3}, {2, 3}, {2, 3}},
        Case{"both sides stretch", {2, 1}, {1, 3}, {2, 3}},
        Case{"an empty axis stays empty", {0}, {1}, {0}}}) {
    EXPECT_EQ(broadcast(c.a, c.b), c.expected) << c.why;
    EXPECT_EQ(broadcast(c.b, c.a), c.expected) << c.why;
  }
}

TEST(Broadcast, RejectsExtentsThatDifferNamingBothShapesAndTheLine) {
  EXPECT_EQ(thrown<UsageError>([] { (void)broadcast({2, 3}, {4}); }),
            "broadcast: axis -1: extents 3 and 4 differ; shapes [2, 3] and [4]");
  const auto where = std::source_location::current();
  EXPECT_EQ(thrown<UsageError>([&] { (void)broadcast({3, 2}, {4, 2}, "add", where); }),
            "add: axis -2: extents 3 and 4 differ; shapes [3, 2] and [4, 2] (here)");
}

TEST(BroadcastsTo, IsOneWay) {
  EXPECT_TRUE(broadcasts_to({3, 1}, {2, 3, 4}));
  EXPECT_TRUE(broadcasts_to({}, {0}));
  EXPECT_FALSE(broadcasts_to({2, 3}, {3}));
  EXPECT_FALSE(broadcasts_to({3}, {1}));
}

TEST(ResolveAxis, CountsNegativeAxesFromTheEnd) {
  EXPECT_EQ(resolve_axis(-1, {2, 3}, "sum"), 1U);
  EXPECT_EQ(resolve_axis(0, {2, 3}, "sum"), 0U);
  EXPECT_EQ(thrown<UsageError>([] { (void)resolve_axis(2, {2, 3}, "sum"); }),
            "sum: axis 2 is not in [-2, 2); shape [2, 3]");
  EXPECT_EQ(thrown<UsageError>([] { (void)resolve_axis(-3, {2, 3}, "sum"); }),
            "sum: axis -3 is not in [-2, 2); shape [2, 3]");
}

}  // namespace shape_test
}  // namespace ddx
