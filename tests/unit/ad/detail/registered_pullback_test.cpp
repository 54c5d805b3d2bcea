#include "ddx/ad/detail/registered_pullback.h"

#include <gtest/gtest.h>
#include <tuple>
#include <utility>
#include <vector>

namespace registered_pullback_test {

using ddx::Wanted;
using ddx::detail::call_pullback;

using One = std::tuple<double>;
using Two = std::tuple<double, std::vector<double>>;

TEST(CallPullback, TakesOneTangentAlone) {
  EXPECT_EQ(call_pullback<One>([](double dy) { return 3 * dy; }, 2.0, Wanted<1>::all()), One(6.0));
}

TEST(CallPullback, TakesATuple) {
  const auto pullback = [](const double& dy) { return std::tuple(dy, std::vector{dy, 2 * dy}); };
  EXPECT_EQ(call_pullback<Two>(pullback, 3.0, Wanted<2>::all()), Two(3.0, {3.0, 6.0}));
}

TEST(CallPullback, PassesWhatIsWanted) {
  const auto pullback = [](double dy, Wanted<2> wanted) {
    return Two(wanted[0] ? dy : 0.0, wanted[1] ? std::vector{dy} : std::vector<double>{});
  };
  EXPECT_EQ(call_pullback<Two>(pullback, 3.0, Wanted<2>(false, true)), Two(0.0, {3.0}));
  EXPECT_EQ(call_pullback<Two>(pullback, 3.0, Wanted<2>(true, false)), Two(3.0, {}));
}

TEST(CallPullback, ConvertsNumbers) {
  const auto pullback = [](float dy) { return dy * 0.5; };
  EXPECT_EQ(call_pullback<std::tuple<float>>(pullback, 3.0F, Wanted<1>::all()),
            std::tuple<float>(1.5F));
}

TEST(CallPullback, TakesAPairForATuple) {
  const auto pullback = [](double dy) { return std::pair(2.0F, std::vector{dy}); };
  EXPECT_EQ(call_pullback<Two>(pullback, 3.0, Wanted<2>::all()), Two(2.0, {3.0}));
}

TEST(CallPullback, ATangentThatIsATupleIsNotTakenApart) {
  using Tangent = std::tuple<double, double>;
  const auto pullback = [](double dy) { return Tangent(dy, -dy); };
  EXPECT_EQ(call_pullback<std::tuple<Tangent>>(pullback, 2.0, Wanted<1>::all()),
            std::tuple<Tangent>(Tangent(2.0, -2.0)));
}

}  // namespace registered_pullback_test
