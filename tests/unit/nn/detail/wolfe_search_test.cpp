#include "ddx/nn/detail/wolfe_search.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>

namespace ddx::nn::detail {
namespace wolfe_search_test {

using Function = std::function<Probe(double)>;

/// Expects a point that satisfies both conditions.
void expect_found(const Function& function, double first, const WolfeConditions& conditions) {
  const Probe start = function(0);
  const auto [best, found] = wolfe_search(function, start, first, conditions);
  EXPECT_TRUE(found) << first;
  EXPECT_GT(best.distance, 0);
  EXPECT_LE(best.value, start.value + conditions.decrease * best.distance * start.slope);
  EXPECT_LE(std::fabs(best.slope), -conditions.curvature * start.slope);
}

Probe quartic(double t) {
  // (t - 3)^4 / 4 - 2 t
  return {t, std::pow(t - 3, 4) / 4 - 2 * t, std::pow(t - 3, 3) - 2};
}

Probe waves(double t) {
  return {t, std::cos(t) - 0.1 * t, -std::sin(t) - 0.1};
}

TEST(WolfeSearch, FindsAPointFromAnyFirstDistance) {
  for (const double first : {1e-6, 0.1, 1.0, 4.0, 50.0, 1e6}) {
    expect_found(quartic, first, {});
    expect_found(quartic, first, {.curvature = 0.01});
    expect_found(waves, first, {.max_probes = 60});
  }
}

TEST(WolfeSearch, TakesTheFirstDistanceWhereItWillDo) {
  int probes = 0;
  const auto [best, found] = wolfe_search(
      [&](double t) {
        ++probes;
        return quartic(t);
      },
      quartic(0), 2, {});
  EXPECT_TRUE(found);
  EXPECT_EQ(best.distance, 2);
  EXPECT_EQ(probes, 1);
}

TEST(WolfeSearch, ComesBackFromWhereThereIsNoValue) {
  const Function barrier = [](double t) {
    return t < 1 ? Probe{t, -t - 0.1 * std::log(1 - t), -1 + 0.1 / (1 - t)}
                 : Probe{t, std::numeric_limits<double>::quiet_NaN(), 0};
  };
  expect_found(barrier, 8, {});
}

TEST(WolfeSearch, WithoutALowerPointItStaysAtTheStart) {
  const Function rising = [](double t) { return Probe{t, t, -1}; };
  const auto [best, found] = wolfe_search(rising, rising(0), 1, {});
  EXPECT_FALSE(found);
  EXPECT_EQ(best.distance, 0);
}

TEST(WolfeSearch, AFunctionWithoutEndGivesItsLowestPoint) {
  const Function falling = [](double t) { return Probe{t, -t, -1}; };
  const auto [best, found] = wolfe_search(falling, falling(0), 1, {.max_probes = 5});
  EXPECT_FALSE(found);
  EXPECT_EQ(best.distance, 256);
}

}  // namespace wolfe_search_test
}  // namespace ddx::nn::detail
