#include "ddx/ad/detail/real_addresses.h"

#include "ddx/ad/differentiable.h"

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

namespace real_addresses_test {

using ddx::detail::MissingTangents;
using ddx::detail::reals_have_addresses;

struct Leaf {
  struct TangentVector {};
};
void ddx_accumulate(Leaf::TangentVector&, const Leaf::TangentVector&);
void ddx_conform(Leaf::TangentVector&, const Leaf&);

/// Each copy is a call.
struct CopiedLeaf {
  using TangentVector = CopiedLeaf;
  CopiedLeaf() = default;
  CopiedLeaf(const CopiedLeaf& other) : value(other.value) {}
  CopiedLeaf& operator=(const CopiedLeaf& other) = default;
  ~CopiedLeaf() = default;
  double value = 0;
};
void ddx_accumulate(CopiedLeaf&, const CopiedLeaf&);

struct OfAnotherMake {
  using TangentVector = double;
  double angle = 0;
};

struct Line {
  double slope = 0;
  float offset = 0;
  int color = 0;
  DDX_DIFFERENTIABLE(Line, slope, offset)
  DDX_NO_DERIVATIVE(color)
};

struct WithLeaf {
  double x = 0;
  Leaf leaf;
  DDX_DIFFERENTIABLE(WithLeaf, x, leaf)
};

/// Contains itself.
struct Tree {
  struct TangentVector {
    double value = 0;
    std::vector<TangentVector> children;
    auto ddx_fields() { return std::tie(value, children); }
    auto ddx_fields() const { return std::tie(value, children); }
  };

  double value = 0;
  std::vector<Tree> children;
  auto ddx_fields() { return std::tie(value, children); }
  auto ddx_fields() const { return std::tie(value, children); }
};

TEST(RealAddresses, AreThoseOfObjectsMadeOfNumbers) {
  EXPECT_TRUE(reals_have_addresses<double>);
  EXPECT_TRUE(reals_have_addresses<const float&>);
  EXPECT_TRUE(reals_have_addresses<long double>);
  EXPECT_TRUE(reals_have_addresses<std::complex<float>>);
  EXPECT_TRUE((reals_have_addresses<double[2][3]>));
  EXPECT_TRUE((reals_have_addresses<std::array<std::vector<std::deque<double>>, 2>>));
  EXPECT_TRUE((reals_have_addresses<std::pair<int, std::tuple<double, std::string>>>));
  EXPECT_TRUE((reals_have_addresses<std::optional<std::variant<double, Line>>>));
  EXPECT_TRUE((reals_have_addresses<std::map<int, std::unordered_map<int, Line>>>));
  EXPECT_TRUE(reals_have_addresses<std::vector<Line>>);
  EXPECT_TRUE(reals_have_addresses<Tree>);
}

TEST(RealAddresses, WhatHasNoTangentHasNoNumbersThatLackOne) {
  EXPECT_TRUE(reals_have_addresses<int>);
  EXPECT_TRUE(reals_have_addresses<std::unique_ptr<double>>);
  EXPECT_TRUE(reals_have_addresses<double*>);
  EXPECT_TRUE((reals_have_addresses<decltype([x = 1.0](double y) { return x * y; })>));
}

TEST(RealAddresses, LackWhereTheTangentIsOfAnotherMake) {
  EXPECT_FALSE(reals_have_addresses<Leaf>);
  EXPECT_FALSE(reals_have_addresses<std::vector<Leaf>>);
  EXPECT_FALSE((reals_have_addresses<std::pair<double, Leaf>>));
  EXPECT_FALSE((reals_have_addresses<std::variant<double, Leaf>>));
  EXPECT_FALSE((reals_have_addresses<std::map<int, Leaf>>));
  EXPECT_FALSE(reals_have_addresses<WithLeaf>);
  EXPECT_FALSE(reals_have_addresses<OfAnotherMake>);
}

TEST(RealAddresses, ObjectsWithTangentsOfTheirOwnMakingAreVisitedAsAWhole) {
  using Object = std::pair<double, std::vector<CopiedLeaf>>;
  EXPECT_TRUE(reals_have_addresses<Object>);
  const Object object(1.0, 2);
  Object tangent(0.0, 2);
  std::vector<const void*> visited;
  ddx::detail::for_each_real<MissingTangents::AreZero>(
      object, tangent, [&](const auto* part, auto* /*tangent*/, std::size_t count) {
        EXPECT_EQ(count, 1);
        visited.push_back(part);
      });
  EXPECT_EQ(visited,
            (std::vector<const void*>{&object.first, &object.second[0], &object.second[1]}));
}

/// How many numbers each visit had.
template <MissingTangents missing, class Object, class Tangent>
std::vector<std::size_t> visits(const Object& object, Tangent& tangent) {
  std::vector<std::size_t> counts;
  ddx::detail::for_each_real<missing>(
      object, tangent, [&](const auto* /*numbers*/, auto* /*tangents*/, std::size_t count) {
        counts.push_back(count);
      });
  return counts;
}

TEST(RealAddresses, AreVisitedTogetherWhereTheyFollowEachOther) {
  const std::pair<std::vector<double>, std::array<float, 3>> object{{1, 2}, {3, 4, 5}};
  std::pair<std::vector<double>, std::array<float, 3>> tangent{{0, 0}, {}};
  EXPECT_EQ(visits<MissingTangents::AreZero>(object, tangent), (std::vector<std::size_t>{2, 3}));
}

TEST(RealAddresses, OfAnEmptyTangentAreSkippedOrMade) {
  const std::vector<std::vector<double>> object{{1, 2}, {3}};
  std::vector<std::vector<double>> tangent;
  EXPECT_TRUE(visits<MissingTangents::AreZero>(object, tangent).empty());
  EXPECT_TRUE(tangent.empty());
  EXPECT_EQ(visits<MissingTangents::AreAdded>(object, tangent), (std::vector<std::size_t>{2, 1}));
  EXPECT_EQ(tangent, (std::vector<std::vector<double>>{{0, 0}, {0}}));
}

}  // namespace real_addresses_test
