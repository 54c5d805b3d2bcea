#include "ddx/ad/detail/choices.h"

#include "ddx/ad/detail/zeros.h"
#include "ddx/core/error.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace choices_test {

using Shape = std::variant<double, std::vector<double>, std::string>;

TEST(Choices, NameWhatIsHeldByItsNumber) {
  Shape shape = 2.5;
  EXPECT_EQ(*ddx::detail::held_if<0>(shape), 2.5);
  EXPECT_EQ(ddx::detail::held_if<1>(shape), nullptr);
  ddx::detail::held<0>(shape) = 4;
  EXPECT_EQ(std::get<0>(shape), 4);
  std::optional<double> none;
  EXPECT_EQ(ddx::detail::held_if<0>(none), nullptr);
  const std::optional<double> some = 3;
  EXPECT_EQ(ddx::detail::held<0>(some), 3);
}

TEST(Choices, TakeAValueThatLiesInThem) {
  std::variant<std::pair<std::vector<double>, int>, std::vector<double>> choice{
      std::in_place_index<0>, std::vector{1.0, 2.0}, 3};
  ddx::detail::hold<1>(choice, std::get<0>(choice).first);
  EXPECT_EQ(std::get<1>(choice), (std::vector{1.0, 2.0}));
  std::optional<std::vector<double>> some(std::vector{1.0});
  ddx::detail::hold<0>(some, *some);
  EXPECT_EQ(*some, std::vector{1.0});
}

TEST(Choices, ShowWhatIsHeld) {
  Shape shape = std::string("name");
  std::size_t number = 0;
  ddx::detail::for_held(shape, [&]<std::size_t I>(std::integral_constant<std::size_t, I>,
                                                  const auto&) { number += I; });
  EXPECT_EQ(number, 2U);
  std::optional<double> none;
  ddx::detail::for_held(none, [&](auto, const auto&) { number = 7; });
  EXPECT_EQ(number, 2U);
}

TEST(Choices, HaveTangentsShapedLikeWhatIsHeld) {
  const Shape shape = std::vector{1.0, 2.0};
  std::tuple<double, std::vector<double>, ddx::NoTangent> tangent{5.0, {}, {}};
  ddx::detail::conform<Shape>(tangent, shape);
  EXPECT_EQ(std::get<0>(tangent), 0);
  EXPECT_EQ(std::get<1>(tangent), (std::vector{0.0, 0.0}));
  std::get<1>(tangent) = {1.0};
  EXPECT_THROW(ddx::detail::conform<Shape>(tangent, shape), ddx::UsageError);
}

}  // namespace choices_test
