// Every row of scalar.def against differences in extended precision, and at the points where a
// function has no derivative.

#include "tests/unit/ad/scalar_rules.h"

#include "tests/unit/ad/scalar_rule_domains.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

namespace scalar_rules_test {

using ddx::testing::Point;
using ddx::testing::scalar_rules;
using ddx::testing::ScalarRule;

using Operands = std::array<long double, 3>;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

long double value(const ScalarRule& rule, const Operands& at) {
  return rule.in_extended.value(at[0], at[1], at[2]);
}

/// The derivative by operand k: central differences of order 8, error about 1e-16.
long double difference(const ScalarRule& rule, const Operands& at, std::size_t k) {
  const long double step = std::ldexp(std::max(std::fabs(at[k]), 0.25L), -12);
  constexpr std::array weights{4.0L / 5, -1.0L / 5, 4.0L / 105, -1.0L / 280};
  long double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    Operands above = at;
    Operands below = at;
    above[k] += static_cast<long double>(i + 1) * step;
    below[k] -= static_cast<long double>(i + 1) * step;
    sum += weights[i] * (value(rule, above) - value(rule, below));
  }
  return sum / step;
}

template <class T>
T partial(const ScalarRule& rule, const Point& at, std::size_t k) {
  const auto& row = rule.in<T>();
  const auto x = static_cast<T>(at.x);
  const auto y = static_cast<T>(at.y);
  const auto z = static_cast<T>(at.z);
  return row.partials[k](x, y, z, row.value(x, y, z));
}

std::string describe(const ScalarRule& rule, const Point& at, std::size_t k) {
  return rule.name + " of " + std::to_string(rule.arity) + " by operand " + std::to_string(k) +
         " at (" + std::to_string(at.x) + ", " + std::to_string(at.y) + ", " +
         std::to_string(at.z) + ")";
}

class ScalarRules : public ::testing::TestWithParam<ScalarRule> {};

template <class T>
void expect_differences(const ScalarRule& rule) {
  for (const Point& point : rule.points) {
    // The point as T holds it, so that rounding the operands is not an error of the row.
    const Operands at{static_cast<T>(point.x), static_cast<T>(point.y), static_cast<T>(point.z)};
    for (std::size_t k = 0; k < rule.arity; ++k) {
      if (k == 1 && rule.integer_second) {
        EXPECT_EQ(partial<T>(rule, point, k), T(0)) << describe(rule, point, k);
        continue;
      }
      const long double expected = difference(rule, at, k);
      const long double tolerance =
          (16 * static_cast<long double>(std::numeric_limits<T>::epsilon()) + 1e-15L) *
          (1 + std::fabs(expected) + std::fabs(value(rule, at)));
      EXPECT_NEAR(static_cast<long double>(partial<T>(rule, point, k)), expected, tolerance)
          << describe(rule, point, k);
    }
  }
}

TEST_P(ScalarRules, AgreeWithDifferencesInFloat) {
  expect_differences<float>(GetParam());
}

TEST_P(ScalarRules, AgreeWithDifferencesInDouble) {
  expect_differences<double>(GetParam());
}

TEST_P(ScalarRules, AgreeWithDifferencesInLongDouble) {
  expect_differences<long double>(GetParam());
}

TEST_P(ScalarRules, AreTestedAtPointsOfTheirOwn) {
  EXPECT_GE(GetParam().points.size(), 2U);
}

TEST_P(ScalarRules, AreFiniteWhereOperandsAndResultAre) {
  const ScalarRule& rule = GetParam();
  const std::vector<double> specials{-3, -2, -1, -0.5, -0.0, 0.0, 0.5, 1, 2, 3};
  const std::vector<double> none{0.0};
  for (const double x : specials) {
    for (const double y : rule.arity > 1 ? specials : none) {
      for (const double z : rule.arity > 2 ? specials : none) {
        if ((rule.name == "std::clamp" && z < y) || !std::isfinite(rule.in_double.value(x, y, z))) {
          continue;  // Undefined; no finite result.
        }
        for (std::size_t k = 0; k < rule.arity; ++k) {
          EXPECT_TRUE(std::isfinite(partial<double>(rule, {x, y, z}, k)))
              << describe(rule, {x, y, z}, k);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Table, ScalarRules, ::testing::ValuesIn(scalar_rules()),
                         [](const auto& info) {
                           std::string name = info.param.name;
                           std::replace(name.begin(), name.end(), ':', '_');
                           return name + "_" + std::to_string(info.param.arity);
                         });

TEST(ScalarRuleOperands, MayBeIntegersOfTheSameValue) {
  // std::pow(x, 2) keeps its int; the partials must not notice.
  for (const ScalarRule& rule : scalar_rules()) {
    if (rule.arity >= 2) {
      const double result = rule.in_double.value(1.5, 2, 2.5);
      for (std::size_t k = 0; k < rule.arity; ++k) {
        EXPECT_EQ(rule.with_integer_second.partials[k](1.5, 2, 2.5, result),
                  rule.in_double.partials[k](1.5, 2, 2.5, result))
            << describe(rule, {1.5, 2, 2.5}, k);
      }
    }
  }
}

/// What docs/reference/derivatives.md promises for one point.
struct EdgeCase {
  const char* why;
  const char* name;
  unsigned arity;
  Point at;
  std::array<double, 3> partials;
};

const EdgeCase edge_cases[] = {
    {"the kink of |x| has slope 0", "abs", 1, {0}, {0}},
    {"the kink of |x| has slope 0", "fabs", 1, {-0.0}, {0}},
    {"the kink of |x| has slope 0", "copysign", 2, {0, -1}, {0, 0}},
    {"an infinite slope counts as 0", "sqrt", 1, {0}, {0}},
    {"an infinite slope counts as 0", "cbrt", 1, {0}, {0}},
    {"an infinite slope counts as 0", "asin", 1, {1}, {0}},
    {"an infinite slope counts as 0", "asin", 1, {-1}, {0}},
    {"an infinite slope counts as 0", "acos", 1, {1}, {0}},
    {"an infinite slope counts as 0", "acosh", 1, {1}, {0}},
    {"a norm has slope 0 at the origin", "hypot", 2, {0, 0}, {0, 0}},
    {"a norm has slope 0 at the origin", "hypot", 3, {0, 0, 0}, {0, 0, 0}},
    {"an angle has slope 0 at the origin", "atan2", 2, {0, 0}, {0, 0}},
    {"squares that underflow", "atan2", 2, {3e-200, 4e-200}, {1.6e199, -1.2e199}},
    {"squares that overflow", "atan2", 2, {3e200, 4e200}, {1.6e-201, -1.2e-201}},
    {"an exponent of 0 makes a constant", "pow", 2, {0, 0}, {0, 0}},
    {"an exponent of 0 makes a constant", "pow", 2, {-2, 0}, {0, 0}},
    {"the identity at 0", "pow", 2, {0, 1}, {1, 0}},
    {"a parabola at 0", "pow", 2, {0, 2}, {0, 0}},
    {"an infinite slope counts as 0", "pow", 2, {0, 0.5}, {0, 0}},
    {"a negative base and a whole exponent", "pow", 2, {-2, 3}, {12, 0}},
    {"a result that underflows keeps its slope", "pow", 2, {1e-200, 2}, {2e-200, 0}},
    {"a tie goes to the first", "std::max", 2, {1, 1}, {1, 0}},
    {"a tie goes to the first", "std::min", 2, {1, 1}, {1, 0}},
    {"a tie goes to the first", "fmax", 2, {1, 1}, {1, 0}},
    {"a tie goes to the first", "fmin", 2, {1, 1}, {1, 0}},
    {"zeros of both signs tie", "std::max", 2, {-0.0, 0.0}, {1, 0}},
    {"a NaN is passed over", "fmax", 2, {not_a_number, 1}, {0, 1}},
    {"a NaN is passed over", "fmax", 2, {1, not_a_number}, {1, 0}},
    {"a NaN is passed over", "fmin", 2, {1, not_a_number}, {1, 0}},
    {"a NaN is passed over", "fmin", 2, {not_a_number, 1}, {0, 1}},
    {"std::max returns a NaN that comes first", "std::max", 2, {not_a_number, 1}, {1, 0}},
    {"a value at its lower bound is itself", "std::clamp", 3, {1, 1, 2}, {1, 0, 0}},
    {"a value at its upper bound is itself", "std::clamp", 3, {2, 1, 2}, {1, 0, 0}},
    {"the tie of a positive difference", "fdim", 2, {1, 1}, {0, 0}},
    {"a quotient that jumps here", "fmod", 2, {6, 2}, {1, -3}},
    {"a quotient that rounds up", "fmod", 2, {0.3, 0.1}, {1, -2}},
    {"a quotient half way goes to the even side", "remainder", 2, {5, 2}, {1, -2}},
    {"a step is flat where it jumps", "floor", 1, {2}, {0}},
    {"a step is flat where it jumps", "round", 1, {2.5}, {0}},
    {"a pole has no slope", "lgamma", 1, {-1}, {not_a_number}},
    {"a pole has no slope", "tgamma", 1, {0}, {not_a_number}},
    {"a large argument does not overflow", "atan", 1, {1e200}, {0}},
    {"a saturated value is flat", "tanh", 1, {1e10}, {0}},
};

TEST(ScalarRuleEdges, AreAsDocumented) {
  for (const EdgeCase& edge : edge_cases) {
    const auto found = std::ranges::find_if(scalar_rules(), [&](const ScalarRule& rule) {
      return rule.name == edge.name && rule.arity == edge.arity;
    });
    ASSERT_NE(found, scalar_rules().end()) << edge.name;
    for (std::size_t k = 0; k < edge.arity; ++k) {
      const double actual = partial<double>(*found, edge.at, k);
      if (std::isnan(edge.partials[k])) {
        EXPECT_TRUE(std::isnan(actual)) << edge.why << ": " << describe(*found, edge.at, k);
      } else {
        EXPECT_DOUBLE_EQ(actual, edge.partials[k])
            << edge.why << ": " << describe(*found, edge.at, k);
      }
    }
  }
}

}  // namespace scalar_rules_test
