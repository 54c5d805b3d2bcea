#include "ddx/ad/detail/memory_exchange.h"

#include "ddx/ad/detail/zeros.h"
#include "ddx/ad/differentiable.h"
#include "ddx/core/error.h"

#include "tests/support/thrown.h"

#include <array>
#include <complex>
#include <cstddef>
#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace memory_exchange_test {

using ddx::detail::add_cotangents;
using ddx::detail::get_tangents;
using ddx::detail::MemorySweep;
using ddx::detail::MemoryTangents;
using ddx::detail::set_cotangents;
using ddx::detail::set_tangents;
using ddx::detail::zeros_like;

struct Line {
  double slope = 0;
  float offset = 0;
  int color = 0;
  DDX_DIFFERENTIABLE(Line, slope, offset)
  DDX_NO_DERIVATIVE(color)
};

/// Sets the cotangents of `object` and adds them twice to a tangent of zeros.
template <class Object, class Tangent>
Tangent twice(const Object& object, const Tangent& tangent) {
  MemorySweep sweep;
  set_cotangents(sweep, object, tangent);
  Tangent sum = zeros_like(object);
  add_cotangents(sweep, object, sum);
  add_cotangents(sweep, object, sum);
  return sum;
}

/// Sets the tangents of `object` and gets them.
template <class Object, class Tangent>
Tangent same(const Object& object, const Tangent& tangent) {
  MemoryTangents tangents;
  set_tangents(tangents, object, tangent);
  Tangent got = tangent;
  get_tangents(tangents, object, got);
  return got;
}

TEST(MemoryExchange, ReachesTheAddressOfEachNumber) {
  MemorySweep sweep;
  const std::tuple<double, std::vector<float>, std::array<long double, 2>> object{
      1, {2, 3}, {4, 5}};
  const std::tuple<double, std::vector<float>, std::array<long double, 2>> tangent{
      6, {7, 8}, {9, 10}};
  set_cotangents(sweep, object, tangent);
  EXPECT_EQ(*sweep.place<double>(&std::get<0>(object)), 6);
  EXPECT_EQ(*sweep.place<float>(&std::get<1>(object)[0]), 7);
  EXPECT_EQ(*sweep.place<float>(&std::get<1>(object)[1]), 8);
  EXPECT_EQ(*sweep.place<long double>(&std::get<2>(object)[0]), 9);
  EXPECT_EQ(*sweep.place<long double>(&std::get<2>(object)[1]), 10);
}

TEST(MemoryExchange, AddsTheCotangentsOfNumbersAndArrays) {
  EXPECT_EQ(twice(1.0, 3.0), 6.0);
  EXPECT_EQ(twice(1.0F, 3.0F), 6.0F);
  EXPECT_EQ(twice(1.0L, 3.0L), 6.0L);
  EXPECT_EQ(twice(std::complex<double>(1, 1), std::complex<double>(3, 4)),
            (std::complex<double>(6, 8)));
  EXPECT_EQ(twice(std::array<double, 2>{1, 1}, std::array<double, 2>{3, 4}),
            (std::array<double, 2>{6, 8}));
  EXPECT_EQ(twice(1, ddx::NoTangent{}), ddx::NoTangent{});
  const double numbers[2][2] = {{1, 2}, {3, 4}};
  double tangent[2][2] = {{1, 2}, {3, 4}};
  MemorySweep sweep;
  set_cotangents(sweep, numbers, tangent);
  add_cotangents(sweep, numbers, tangent);
  EXPECT_EQ(tangent[0][1], 4);
  EXPECT_EQ(tangent[1][1], 8);
}

TEST(MemoryExchange, AddsTheCotangentsOfContainers) {
  using Vectors = std::vector<std::vector<double>>;
  EXPECT_EQ(twice(Vectors{{1, 1}, {}, {1}}, Vectors{{3, 4}, {}, {5}}), (Vectors{{6, 8}, {}, {10}}));
  using Deque = std::deque<std::complex<float>>;
  EXPECT_EQ(twice(Deque{{1, 1}, {1, 1}}, Deque{{3, 4}, {5, 6}}), (Deque{{6, 8}, {10, 12}}));
  using Map = std::map<std::string, double>;
  EXPECT_EQ(twice(Map{{"a", 1}, {"b", 1}}, Map{{"a", 3}}), (Map{{"a", 6}, {"b", 0}}));
  using Hashed = std::unordered_map<int, std::vector<double>>;
  EXPECT_EQ(twice(Hashed{{1, {1, 1}}}, Hashed{{1, {3, 4}}}), (Hashed{{1, {6, 8}}}));
  std::vector<double> many(5000, 1);
  for (std::size_t i = 0; i < many.size(); ++i) {
    many[i] = static_cast<double>(i);
  }
  const std::vector<double> doubled = twice(std::vector<double>(5000), many);
  for (std::size_t i = 0; i < many.size(); ++i) {
    ASSERT_EQ(doubled[i], 2 * many[i]);
  }
}

TEST(MemoryExchange, AddsTheCotangentsOfPartsAndMembers) {
  EXPECT_EQ((twice(std::pair<int, double>{1, 1}, std::pair<ddx::NoTangent, double>{{}, 3})),
            (std::pair<ddx::NoTangent, double>{{}, 6}));
  const std::vector<Line> lines(2);
  const std::vector<ddx::TangentOf<Line>> tangents{{1, 2}, {3, 4}};
  const auto doubled = twice(lines, tangents);
  EXPECT_EQ(doubled[1].slope, 6);
  EXPECT_EQ(doubled[1].offset, 8);
  EXPECT_EQ(doubled[0].offset, 4);
}

TEST(MemoryExchange, AddsTheCotangentsOfWhatIsHeld) {
  using Optional = std::optional<double>;
  EXPECT_EQ(twice(Optional(1), std::tuple<double>(3)), std::tuple<double>(6));
  EXPECT_EQ(twice(Optional(), std::tuple<double>(3)), std::tuple<double>(0));
  using Variant = std::variant<int, double, std::vector<double>>;
  using Tangent = std::tuple<ddx::NoTangent, double, std::vector<double>>;
  EXPECT_EQ(twice(Variant(1.0), Tangent({}, 3, {})), Tangent({}, 6, {}));
  EXPECT_EQ(twice(Variant(std::vector<double>{1, 1}), Tangent({}, 0, {3, 4})),
            Tangent({}, 0, {6, 8}));
  EXPECT_EQ(twice(Variant(1), Tangent({}, 3, {})), Tangent({}, 0, {}));
}

TEST(MemoryExchange, ClosuresAndPointersHaveNothingToAdd) {
  EXPECT_EQ(twice([x = 1.0] { return x; }, ddx::NoTangent{}), ddx::NoTangent{});
  EXPECT_EQ(twice(std::make_shared<double>(1), ddx::NoTangent{}), ddx::NoTangent{});
}

TEST(MemoryExchange, TangentsGoThereAndBack) {
  const std::pair<std::vector<Line>, std::optional<double>> object{{{1, 2, 3}, {4, 5, 6}}, 7.0};
  using Tangent = ddx::TangentOf<decltype(object)>;
  const Tangent tangent{{{8, 9}, {10, 11}}, {12}};
  const Tangent got = same(object, tangent);
  EXPECT_EQ(got.first[0].offset, 9);
  EXPECT_EQ(got.first[1].slope, 10);
  EXPECT_EQ(std::get<0>(got.second), 12);
}

TEST(MemoryExchange, GettingReplacesWhatWasThere) {
  MemoryTangents tangents;
  const std::map<int, std::optional<double>> object{{1, 2.0}, {2, std::nullopt}};
  *tangents.place<double>(&*object.at(1)) = 5;
  std::map<int, std::tuple<double>> got{{1, 9.0}, {2, 9.0}};
  get_tangents(tangents, object, got);
  EXPECT_EQ(got, (std::map<int, std::tuple<double>>{{1, 5.0}, {2, 0.0}}));
}

TEST(MemoryExchange, SettingReplacesWhatWasThereByZeroToo) {
  MemorySweep sweep;
  const std::array<double, 2> object{1, 2};
  set_cotangents(sweep, object, std::array<double, 2>{3, 4});
  set_cotangents(sweep, object, std::array<double, 2>{0, 5});
  EXPECT_EQ(*sweep.place<double>(&object[0]), 0);
  EXPECT_EQ(*sweep.place<double>(&object[1]), 5);
}

TEST(MemoryExchange, ZerosAndUnreadArgumentsNeedNoMemory) {
  MemorySweep sweep;
  const std::vector<double> object(1000);
  set_cotangents(sweep, object, std::vector<double>(1000));
  std::vector<double> sum(1000);
  add_cotangents(sweep, object, sum);
  EXPECT_TRUE(sweep.cotangents().of<double>().is_empty());
}

TEST(MemoryExchange, EmptyTangentsAreZeros) {
  MemorySweep sweep;
  const std::vector<double> object{1, 2};
  set_cotangents(sweep, object, std::vector<double>{});
  *sweep.place<double>(&object[1]) = 5;
  std::vector<double> sum;
  add_cotangents(sweep, object, sum);
  EXPECT_EQ(sum, (std::vector<double>{0, 5}));
}

TEST(MemoryExchange, OtherLengthsAndKeysAreRefused) {
  MemorySweep sweep;
  const std::vector<double> object{1, 2};
  EXPECT_EQ(ddx::testing::thrown<ddx::UsageError>(
                [&] { set_cotangents(sweep, object, std::vector<double>{1, 2, 3}); }),
            "derivative of memory: a tangent of 3 elements meets a value of 2");
  using Map = std::map<int, double>;
  EXPECT_EQ(ddx::testing::thrown<ddx::UsageError>(
                [&] { set_cotangents(sweep, Map{{1, 1}}, Map{{1, 1}, {2, 2}}); }),
            "derivative of memory: a tangent of 2 elements meets a value of 1");
}

}  // namespace memory_exchange_test
