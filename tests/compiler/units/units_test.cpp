// Each source knows the functions that it names itself. Values by hand: with k x^3 the derivative
// is 3 k x^2, and 6 k x the second; k is 1 in the first source, 2 in the second, 5 in the library.

#include "tests/compiler/units/units.h"

#include "ddx/core/error.h"

#include <gtest/gtest.h>
#include <string>

namespace {

double fourth(double x) {
  return x * x * x * x;
}

TEST(Units, EachTakesGradientsOfItsOwnFunctions) {
  EXPECT_EQ(ddx::gradient(fourth, 2.0), 32);
  EXPECT_EQ(units::first_slope(2), 12);
  EXPECT_EQ(units::second_slope(2), 24);
  EXPECT_EQ(units::library_slope(2), 60);
}

TEST(Units, PointersLeadToTheUnitThatDifferentiatesTheFunction) {
  EXPECT_EQ(units::slope_in_first(units::function_of_second(), 3), 54);
  EXPECT_EQ(units::slope_in_first(units::function_of_library(), 3), 135);
  EXPECT_EQ(units::slope_in_first(fourth, 3), 108);
  EXPECT_EQ(units::slope_in_library(units::function_of_second(), 3), 54);
  EXPECT_EQ(units::slope_in_library(fourth, 3), 108);
  EXPECT_EQ(ddx::gradient(units::function_of_library(), 3.0), 135);
}

TEST(Units, MayDifferentiateOneFunction) {
  EXPECT_EQ(units::square_slope_in_first(3), 6);
  EXPECT_EQ(units::square_slope_in_second(3), 6);
  EXPECT_EQ(ddx::gradient(units::shared_square, 3.0), 6);
}

TEST(Units, MayTakeGradientsInTheirHeaders) {
  EXPECT_EQ(units::header_slopes_in_first(2), 12 + 100 * (12 + 4));
  EXPECT_EQ(units::header_slopes_in_second(2), 24 + 100 * (24 + 4));
  EXPECT_EQ(units::slope_behind(fourth, 2), 32 + 4);
}

TEST(Units, HaveOtherOperatorsToo) {
  EXPECT_EQ(units::other_operators_in_first(2), 12 + 1200 + 120000);
  EXPECT_EQ(units::other_operators_in_second(2), 24 + 2400 + 240000);
}

TEST(Units, HandOverFunctionsWithTheirDerivatives) {
  const auto made = units::made_in_second(3);
  EXPECT_EQ(ddx::gradient([&](double x) { return made(x) * x; }, 2.0), 2 * 72 + 48);
}

TEST(Units, AFunctionThatNoneDifferentiatesIsAnError) {
  volatile units::Function hidden = [](double x) { return x; };
  const units::Function function = hidden;
  try {
    (void)units::slope_in_first(function, 1);
    ADD_FAILURE() << "no error";
  } catch (const ddx::UsageError& error) {
    EXPECT_EQ(std::string(error.what()),
              "gradient: no unit of the program names the function behind this pointer in a "
              "gradient");
  }
}

}  // namespace
