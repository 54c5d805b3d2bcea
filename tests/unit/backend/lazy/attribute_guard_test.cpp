#include "backend/lazy/attribute_guard.h"

#include "ddx/core/random_key.h"
#include "ddx/ir/scalars.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/attributes.h"

#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <limits>
#include <variant>
#include <vector>

namespace ddx::backend::lazy {
namespace attribute_guard_test {

/// The scalars that attributes give where they pass the guard; an empty list and `passed` false
/// where they do not.
template <class Attributes>
std::vector<ir::ScalarValue> given_by(const AttributeGuard& guard, const Attributes& attributes,
                                      bool& passed) {
  std::vector<ir::ScalarValue> scalars;
  passed = passes(guard, &attributes, scalars);
  return passed ? scalars : std::vector<ir::ScalarValue>{};
}

template <class Attributes>
AttributeGuard guard(const Attributes& attributes) {
  std::vector<ir::ScalarValue> scalars;
  return guard_of(attributes, scalars);
}

template <class Attributes>
bool lets_pass(const AttributeGuard& guard, const Attributes& attributes) {
  bool passed = false;
  (void)given_by(guard, attributes, passed);
  return passed;
}

TEST(AttributeGuard, ANumberThatProgramsComputeIsGiven) {
  std::vector<ir::ScalarValue> scalars;
  const AttributeGuard of_scale = guard_of(ops::ScaleAttributes{0.3}, scalars);
  ASSERT_EQ(scalars.size(), 1U);
  EXPECT_EQ(std::get<ops::Literal>(scalars[0]).real, 0.3);
  EXPECT_EQ(of_scale.scalars, 1);
  EXPECT_EQ(std::get<ops::ScaleAttributes>(of_scale.attributes).scale,
            ops::ScaleAttributes{}.scale);
  bool passed = false;
  const auto given = given_by(of_scale, ops::ScaleAttributes{0.7}, passed);
  ASSERT_TRUE(passed);
  ASSERT_EQ(given.size(), 1U);
  EXPECT_EQ(std::get<ops::Literal>(given[0]).real, 0.7);
}

TEST(AttributeGuard, ANumberThatRewritesUseIsNot) {
  for (const double number : {0.0, 1.0, -1.0, 2.0, 0.5}) {
    const AttributeGuard baked = guard(ops::ScaleAttributes{number});
    EXPECT_EQ(baked.scalars, 0);
    EXPECT_TRUE(lets_pass(baked, ops::ScaleAttributes{number}));
    EXPECT_FALSE(lets_pass(baked, ops::ScaleAttributes{0.3}));
    EXPECT_FALSE(lets_pass(guard(ops::ScaleAttributes{0.3}), ops::ScaleAttributes{number}));
  }
  EXPECT_FALSE(lets_pass(guard(ops::ScaleAttributes{0}), ops::ScaleAttributes{1}));
  // -0 is no 0: it is given.
  EXPECT_FALSE(lets_pass(guard(ops::ScaleAttributes{0}), ops::ScaleAttributes{-0.0}));
  EXPECT_TRUE(lets_pass(guard(ops::ScaleAttributes{0.3}),
                        ops::ScaleAttributes{std::numeric_limits<double>::quiet_NaN()}));
}

TEST(AttributeGuard, EveryRunTimeFieldHasAPlace) {
  std::vector<ir::ScalarValue> scalars;
  const ops::RandomUniformAttributes attributes{.key = RandomKey(7), .low = 0, .high = 0.25};
  const AttributeGuard uniform = guard_of(attributes, scalars);
  EXPECT_EQ(uniform.scalars, 0b101) << "key and high; low is 0, which is baked";
  ASSERT_EQ(scalars.size(), 2U);
  EXPECT_EQ(std::get<RandomKey>(scalars[0]), RandomKey(7));
  bool passed = false;
  const auto given = given_by(
      uniform, ops::RandomUniformAttributes{.key = RandomKey(8), .low = 0, .high = 0.75}, passed);
  ASSERT_TRUE(passed);
  ASSERT_EQ(given.size(), 2U);
  EXPECT_EQ(std::get<RandomKey>(given[0]), RandomKey(8));
  EXPECT_EQ(std::get<ops::Literal>(given[1]).real, 0.75);
  EXPECT_FALSE(lets_pass(
      uniform, ops::RandomUniformAttributes{.key = RandomKey(8), .low = 0.1, .high = 0.75}));
}

TEST(AttributeGuard, EveryStaticFieldIsCompared) {
  const ops::WindowAttributes window{.axes = 2, .size = {3, 3, 1}};
  const auto differs = [&](auto change) {
    ops::WindowAttributes other = window;
    change(other);
    return !lets_pass(guard(window), other);
  };
  EXPECT_TRUE(lets_pass(guard(window), window));
  EXPECT_TRUE(differs([](auto& other) { other.axes = 1; }));
  EXPECT_TRUE(differs([](auto& other) { other.size[1] = 5; }));
  EXPECT_TRUE(differs([](auto& other) { other.strides[1] = 2; }));
  EXPECT_TRUE(differs([](auto& other) { other.dilations[0] = 2; }));
  EXPECT_TRUE(differs([](auto& other) { other.low[1] = 1; }));
  EXPECT_TRUE(differs([](auto& other) { other.high[1] = 1; }));
  EXPECT_TRUE(differs([](auto& other) { other.groups = 4; }));
  EXPECT_FALSE(lets_pass(guard(ops::EpsilonAttributes{1e-3}), ops::EpsilonAttributes{1e-5}))
      << "a static number";
  EXPECT_FALSE(lets_pass(guard(ops::AttentionAttributes{0.125, true}),
                         ops::AttentionAttributes{0.125, false}));
  EXPECT_FALSE(
      lets_pass(guard(ops::ReductionAttributes{1, true}), ops::ReductionAttributes{1, false}));
}

TEST(AttributeGuard, AnElementOfAnIntegerIsComparedWhole) {
  // 2^53 + 1 is no double.
  const std::int64_t large = (std::int64_t{1} << 53) + 1;
  const ops::FullAttributes a{{.real = static_cast<double>(large), .integer = large}};
  std::vector<ir::ScalarValue> scalars;
  ASSERT_EQ(guard_of(a, scalars).scalars, 1);
  EXPECT_EQ(std::get<ops::Literal>(scalars[0]).integer, large);
  EXPECT_FALSE(scalar_of({.real = 2, .integer = 2}).has_value());
  EXPECT_TRUE(scalar_of({.real = 2, .integer = 3}).has_value());
  EXPECT_TRUE(scalar_of({.real = 2, .imaginary = 1}).has_value());
}

}  // namespace attribute_guard_test
}  // namespace ddx::backend::lazy
