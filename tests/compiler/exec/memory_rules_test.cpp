// Functions with derivatives of their own through memory, in three modes.

#include "ddx/ad.h"
#include "ddx/ad/memory_rule.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <vector>

namespace memory_rules_test {

/// y += s x.
struct Axpy {
  struct Operands {
    const double* s;
    const double* x;
    double* y;
    std::size_t count;
    double factor;
  };

  static void primal(const double* s, const double* x, double* y, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      y[i] += *s * x[i];
    }
  }

  static void forward(const double* s, const double* x, double* y, std::size_t count,
                      ddx::RuleSweep sweep) {
    std::copy_n(x, count, sweep.save<double>(count));
    *sweep.save<Operands>(1) = {s, x, y, count, *s};
    primal(s, x, y, count);
  }

  static void reverse(ddx::RuleSweep sweep) {
    const Operands all = *sweep.restore<Operands>(1);
    const double* const x = sweep.restore<double>(all.count);
    std::vector<double> cotangent(all.count);
    sweep.get(all.y, all.count, cotangent.data());
    double to_s = 0;
    for (std::size_t i = 0; i < all.count; ++i) {
      to_s += cotangent[i] * x[i];
      cotangent[i] *= all.factor;
    }
    sweep.add(all.x, all.count, cotangent.data());
    sweep.add(all.s, 1, &to_s);
  }

  static void tangent(const double* s, const double* x, double* y, std::size_t count,
                      ddx::RuleTangents tangents) {
    for (std::size_t i = 0; i < count; ++i) {
      tangents(y + i) += tangents(s) * x[i] + *s * tangents(x + i);
    }
    ddx::call_by_rule<Axpy>(s, x, y, count);
  }
};

/// Of 1000 numbers, so that they lie in several pages: f(a, b) = (a² b + b²)² ∑ i².
double axpy(double a, double b) {
  constexpr std::size_t count = 1000;
  std::vector<double> x(count);
  std::vector<double> y(count);
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = a * static_cast<double>(i);
    y[i] = b * b * static_cast<double>(i);
  }
  const double s = a * b;
  ddx::call_by_rule<Axpy>(&s, static_cast<const double*>(x.data()), y.data(), count);
  x[3] = 100;  // The rule has its own copy.
  double sum = 0;
  for (const double v : y) {
    sum += v * v;
  }
  return sum;
}

constexpr double squares = 999.0 * 1000 * 1999 / 6;

TEST(MemoryRules, GradientsAndTangentsFollowTheRule) {
  const double a = 0.5;
  const double b = 0.75;
  const double root = a * a * b + b * b;
  const auto [by_a, by_b] = ddx::gradient(axpy, a, b);
  EXPECT_NEAR(by_a, squares * 2 * root * 2 * a * b, 1e-6);
  EXPECT_NEAR(by_b, squares * 2 * root * (a * a + 2 * b), 1e-6);
  const double tangent = ddx::jvp(axpy, ddx::wrt<0, 1>, ddx::along(1.0, 0.0), a, b).tangent;
  EXPECT_NEAR(tangent, squares * 2 * root * 2 * a * b, 1e-6);
}

TEST(MemoryRules, TangentsOfRulesAreDifferentiated) {
  const double a = 0.5;
  const double b = 0.75;
  const double root = a * a * b + b * b;
  const auto along_a = [](double u, double v) {
    return ddx::jvp(axpy, ddx::wrt<0, 1>, ddx::along(1.0, 0.0), u, v).tangent;
  };
  const auto [by_a, by_b] = ddx::gradient(along_a, a, b);
  EXPECT_NEAR(by_a, squares * 2 * (4 * a * a * b * b + root * 2 * b), 1e-6);
  EXPECT_NEAR(by_b, squares * 2 * ((a * a + 2 * b) * 2 * a * b + root * 2 * a), 1e-6);
}

/// A rule decides, not the source: rounding counts as the identity.
struct Rounded {
  struct Operands {
    const double* from;
    double* to;
  };

  static void primal(const double* from, double* to) { *to = std::floor(*from); }

  static void forward(const double* from, double* to, ddx::RuleSweep sweep) {
    *sweep.save<Operands>(1) = {from, to};
    primal(from, to);
  }

  static void reverse(ddx::RuleSweep sweep) {
    const Operands all = *sweep.restore<Operands>(1);
    double cotangent = 0;
    sweep.take(all.to, 1, &cotangent);
    sweep.add(all.from, 1, &cotangent);
  }

  static void tangent(const double* from, double* to, ddx::RuleTangents tangents) {
    tangents(to) = tangents(from);
    ddx::call_by_rule<Rounded>(from, to);
  }
};

double rounded(double x) {
  const double square = x * x;
  double y = x;  // Overwritten: its cotangent must be gone.
  ddx::call_by_rule<Rounded>(&square, &y);
  return y * x;
}

TEST(MemoryRules, TheRuleIsUsedAndNotTheSource) {
  EXPECT_EQ(rounded(1.5), 3);
  EXPECT_EQ(ddx::gradient(rounded, 1.5), 2 + 1.5 * 3);
  EXPECT_EQ(ddx::jvp(rounded, ddx::wrt<0>, ddx::along(1.0), 1.5).tangent, 2 + 1.5 * 3);
}

}  // namespace memory_rules_test
