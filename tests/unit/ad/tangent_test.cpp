#include "ddx/ad/tangent.h"

#include "ddx/ad/no_tangent.h"

#include <array>
#include <concepts>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tangent_test {

using ddx::Differentiable;
using ddx::NoTangent;
using ddx::TangentOf;

enum class Color { Red };

struct Leaf {
  using TangentVector = Leaf;
};

struct Plain {
  double x;
};

template <class Primal, class Tangent>
constexpr bool has_tangent = std::same_as<TangentOf<Primal>, Tangent>;

TEST(Tangent, OfANumberIsTheNumber) {
  EXPECT_TRUE((has_tangent<float, float>));
  EXPECT_TRUE((has_tangent<double, double>));
  EXPECT_TRUE((has_tangent<long double, long double>));
}

TEST(Tangent, IgnoresConstAndReferences) {
  EXPECT_TRUE((has_tangent<const double&, double>));
  EXPECT_TRUE((has_tangent<std::vector<float>&&, std::vector<float>>));
}

TEST(Tangent, OfAContainerIsTheContainerOfTangents) {
  EXPECT_TRUE((has_tangent<std::vector<std::array<float, 3>>, std::vector<std::array<float, 3>>>));
  EXPECT_TRUE((has_tangent<std::pair<double, int>, std::pair<double, NoTangent>>));
  EXPECT_TRUE((has_tangent<std::tuple<int, Leaf, Color>, std::tuple<NoTangent, Leaf, NoTangent>>));
  EXPECT_TRUE((has_tangent<double[2], double[2]>));
}

TEST(Tangent, OfAContainerOfNothingDifferentiableIsNone) {
  EXPECT_TRUE((has_tangent<std::vector<int>, NoTangent>));
  EXPECT_TRUE((has_tangent<std::vector<bool>, NoTangent>));
  EXPECT_TRUE((has_tangent<std::array<Color, 2>, NoTangent>));
  EXPECT_TRUE((has_tangent<std::pair<int, std::string>, NoTangent>));
  EXPECT_TRUE((has_tangent<std::tuple<>, NoTangent>));
  EXPECT_TRUE((has_tangent<int[2], NoTangent>));
}

TEST(Tangent, OfAClassIsWhatTheClassNames) {
  EXPECT_TRUE((has_tangent<Leaf, Leaf>));
  EXPECT_TRUE((has_tangent<Plain, NoTangent>));
}

TEST(Tangent, DecidesWhatIsDifferentiable) {
  EXPECT_TRUE(Differentiable<double>);
  EXPECT_TRUE(Differentiable<Leaf>);
  EXPECT_TRUE((Differentiable<const std::pair<int, double>&>));
  EXPECT_FALSE(Differentiable<int>);
  EXPECT_FALSE(Differentiable<Color>);
  EXPECT_FALSE(Differentiable<std::string>);
  EXPECT_FALSE(Differentiable<double*>);
  EXPECT_TRUE((Differentiable<std::map<int, double>>));
  EXPECT_FALSE((Differentiable<std::map<double, double>>));
  EXPECT_FALSE((Differentiable<std::multimap<int, double>>));
  EXPECT_FALSE(Differentiable<Plain>);
}

}  // namespace tangent_test
