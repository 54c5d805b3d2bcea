// Every row of powers.def against differences, and at the points where the function's own slope is
// infinite.

#include "tests/unit/ad/scalar_rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <numbers>
#include <string>
#include <vector>

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdollar-in-identifier-extension"

namespace power_rules_test {

using ddx::testing::Point;
using ddx::testing::scalar_rules;
using ddx::testing::ScalarRule;

using Text = double (*)(int k, double x, double y, double z, double r, double p, double q);

struct PowerRow {
  std::string name;
  unsigned arity;
  int degree;
  Text power;
  std::vector<Text> partials;
};

// The tokens as a function: what they name are its parameters.
#define DDX_TEXT(tokens)                                                                    \
  +[](int $k, double $0, double $1, double $2, double $r, double $p, double $q) -> double { \
    using $T = double;                                                                      \
    (void)$T(), (void)$k, (void)$0, (void)$1, (void)$2, (void)$r, (void)$p, (void)$q;       \
    return static_cast<double>(tokens);                                                     \
  }
#define DDX_TEXTS_1(a) DDX_TEXT(a)
#define DDX_TEXTS_2(a, b) DDX_TEXT(a), DDX_TEXT(b)
#define DDX_TEXTS_3(a, b, c) DDX_TEXT(a), DDX_TEXT(b), DDX_TEXT(c)
#define DDX_POWER_RULE(name, arity, degree, power, ...) \
  PowerRow{#name, arity, degree, DDX_TEXT(power), {DDX_TEXTS_##arity(__VA_ARGS__)}},

const std::vector<PowerRow>& rows() {
  static const std::vector<PowerRow> all = {
#include "compiler/rules/powers.def"
  };
  return all;
}

#undef DDX_TEXTS_3
#undef DDX_TEXTS_2
#undef DDX_TEXTS_1
#undef DDX_TEXT

const ScalarRule& function_of(const PowerRow& row) {
  return *std::ranges::find_if(scalar_rules(), [&](const ScalarRule& rule) {
    return rule.name == row.name && rule.arity == row.arity;
  });
}

double evaluated(const PowerRow& row, Text text, int k, const Point& at) {
  const double r = function_of(row).in_double.value(at.x, at.y, at.z);
  return text(k, at.x, at.y, at.z, r, std::pow(r, k - row.degree), std::pow(r, k));
}

/// The derivative of the power by operand `operand`: central differences of order 4.
double difference(const PowerRow& row, int k, const Point& at, unsigned operand) {
  const long double step = 1.0L / 4096;
  const auto power = [&](long double shift) {
    std::array<long double, 3> moved{at.x, at.y, at.z};
    moved[operand] += shift;
    return std::pow(function_of(row).in_extended.value(moved[0], moved[1], moved[2]), k);
  };
  return static_cast<double>(
      (8 * (power(step) - power(-step)) - (power(2 * step) - power(-2 * step))) / (12 * step));
}

TEST(PowerRules, AgreeWithDifferences) {
  for (const PowerRow& row : rows()) {
    for (const Point& at : function_of(row).points) {
      for (int k = row.degree; k < row.degree + 3; ++k) {
        for (unsigned i = 0; i < row.arity; ++i) {
          const double expected = difference(row, k, at, i);
          EXPECT_NEAR(evaluated(row, row.partials[i], k, at), expected,
                      1e-7 * (1 + std::abs(expected)))
              << row.name << " to the power " << k << " by operand " << i << " at " << at.x << ", "
              << at.y;
        }
      }
    }
  }
}

TEST(PowerRules, StateTheirLeastPower) {
  for (const PowerRow& row : rows()) {
    for (const Point& at : function_of(row).points) {
      const double r = function_of(row).in_double.value(at.x, at.y, at.z);
      const double expected = std::pow(r, row.degree);
      EXPECT_NEAR(evaluated(row, row.power, row.degree, at), expected,
                  1e-14 * (1 + std::abs(expected)))
          << row.name;
    }
  }
}

TEST(PowerRules, AreFiniteWhereTheFunctionIsZero) {
  struct Case {
    const char* name;
    unsigned arity;
    Point at;
    std::array<double, 3> partials;  // Of the least power, by hand.
  };
  const Case cases[] = {
      {"sqrt", 1, {0}, {1}},               // x
      {"cbrt", 1, {0}, {1}},               // x
      {"pow", 2, {0, 0.5}, {1, 0}},        // x^(2 y)
      {"hypot", 2, {0, 0}, {0, 0}},        // x^2 + y^2
      {"hypot", 3, {0, 0, 0}, {0, 0, 0}},  // x^2 + y^2 + z^2
      {"fabs", 1, {0}, {0}},               // x^2
      {"acos", 1, {1}, {-2}},              // 2 (1 - x) + (1 - x)^2 / 3 + ...
      {"acosh", 1, {1}, {2}},              // 2 (x - 1) - (x - 1)^2 / 3 + ...
  };
  for (const Case& known : cases) {
    const auto row = std::ranges::find_if(rows(), [&](const PowerRow& one) {
      return one.name == known.name && one.arity == known.arity;
    });
    ASSERT_NE(row, rows().end()) << known.name;
    for (unsigned i = 0; i < known.arity; ++i) {
      EXPECT_EQ(evaluated(*row, row->partials[i], row->degree, known.at), known.partials[i])
          << known.name << " by operand " << i;
    }
  }
}

}  // namespace power_rules_test

#pragma clang diagnostic pop
