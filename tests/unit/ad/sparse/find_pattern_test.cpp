#include "ddx/ad/sparse/find_pattern.h"

#include "ddx/ad/sparse/dependent.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx::find_pattern_test {

using Places = std::vector<MatrixPlace>;
using Vector = std::vector<double>;

/// The Hessian's pattern of a function of three numbers, as a list.
template <class F>
SparsityPattern hessian_of(const F& f, const Vector& x = {0.5, 0.7, 0.3}) {
  return hessian_pattern(f, x).pattern;
}

SparsityPattern of(const Places& places) {
  return {3, 3, places};
}

TEST(JacobianPattern, FollowsEachResultToItsArguments) {
  const auto f = [](const auto& x) {
    using std::sin;
    const auto inner = x[1] * 2 + 1;
    return std::array{sin(inner) - x[0], inner / inner, x[2] + 0 * x[0], x[1] - x[1]};
  };
  const FoundPattern found = jacobian_pattern(f, std::array{0.1, 0.2, 0.3});
  EXPECT_EQ(found.pattern, SparsityPattern(4, 3, {{0, 0}, {0, 1}, {1, 1}, {2, 0}, {2, 2}, {3, 1}}));
  EXPECT_EQ(found.branches, 0U);
}

TEST(JacobianPattern, ListsTheNumbersOfNestedArgumentsAndResults) {
  const auto f = [](const auto& x) {
    const auto& [a, b] = x;
    return std::tuple(a.second[1], std::vector{b[0][0], b[1][1] * a.first}, 5);
  };
  const std::pair<std::pair<float, std::array<float, 2>>, std::vector<std::vector<double>>> x{
      {1.0F, {2.0F, 3.0F}}, {{4.0}, {5.0, 6.0}}};
  // first: 0; second: 1, 2; b: 3; 4, 5.
  EXPECT_EQ(jacobian_pattern(f, x).pattern,
            SparsityPattern(3, 6, {{0, 2}, {1, 3}, {2, 0}, {2, 5}}));
}

TEST(JacobianPattern, TakesConstantResultsAndNoArguments) {
  const auto constant = [](const auto&) { return std::vector<double>{1, 2}; };
  EXPECT_EQ(jacobian_pattern(constant, 1.0).pattern, SparsityPattern(2, 1, {}));
  const auto same = [](const auto& x) { return x; };
  EXPECT_EQ(jacobian_pattern(same, Vector{}).pattern, SparsityPattern());
}

TEST(JacobianPattern, IsOfThePathTaken) {
  const auto f = [](const auto& x) {
    auto largest = x[0];
    for (std::size_t i = 1; i < x.size(); ++i) {
      largest = std::max(largest, x[i]);
    }
    return largest;
  };
  const FoundPattern found = jacobian_pattern(f, Vector{1, 5, 2});
  EXPECT_EQ(found.pattern, SparsityPattern(1, 3, {{0, 1}}));
  EXPECT_EQ(found.branches, 2U);
  const auto decides = [](const auto& x) {
    using std::isnan;
    const bool chosen = (x > 1) == (static_cast<int>(x) == 2) && !isnan(x);
    return chosen ? x : 2 * x;
  };
  EXPECT_EQ(jacobian_pattern(decides, 2.5).branches, 3U);
}

TEST(JacobianPattern, OfExtremesHoldsForBothPaths) {
  const auto f = [](const auto& x) {
    using std::fdim;
    using std::fmax;
    using std::fmin;
    return std::array{fmin(x[0], x[1]), fmax(x[1], x[2]), fdim(x[0], x[2])};
  };
  const FoundPattern found = jacobian_pattern(f, Vector{1, 2, 3});
  EXPECT_EQ(found.pattern, SparsityPattern(3, 3, {{0, 0}, {0, 1}, {1, 1}, {1, 2}, {2, 0}, {2, 2}}));
  EXPECT_EQ(found.branches, 0U);
}

TEST(JacobianPattern, LeavesOutWhatIsConstantBetweenJumps) {
  const auto f = [](const auto& x) {
    using std::copysign;
    using std::floor;
    using std::pow;
    using std::round;
    return std::array{floor(x[0]) + x[1], round(x[1]) * x[2], copysign(x[0], x[1]), pow(x[2], 0)};
  };
  EXPECT_EQ(jacobian_pattern(f, Vector{1.5, 2, 3}).pattern,
            SparsityPattern(4, 3, {{0, 1}, {1, 2}, {2, 0}}));
}

TEST(HessianPattern, OfLinearOperationsIsEmpty) {
  EXPECT_EQ(hessian_of([](const auto& x) {
              using std::abs;
              using std::pow;
              auto sum = -x[0] + 3 * x[1] / 4 - pow(x[2], 1);
              sum += abs(x[1]);
              return sum * 2 - 1;
            }),
            of({}));
}

TEST(HessianPattern, HasThePairsThatMeet) {
  EXPECT_EQ(hessian_of([](const auto& x) { return x[0] * x[1] + x[2]; }), of({{0, 1}, {1, 0}}));
  EXPECT_EQ(hessian_of([](const auto& x) { return x[0] / x[1] + x[2]; }),
            of({{0, 1}, {1, 0}, {1, 1}}));
  EXPECT_EQ(hessian_of([](const auto& x) { return 1 / x[2] + x[0]; }), of({{2, 2}}));
  EXPECT_EQ(hessian_of([](const auto& x) { return x[1] * x[1]; }), of({{1, 1}}));
  EXPECT_EQ(hessian_of([](const auto& x) { return exp(x[0] + x[2]) + x[1]; }),
            of({{0, 0}, {0, 2}, {2, 0}, {2, 2}}));
  EXPECT_EQ(hessian_of([](const auto& x) { return (x[0] + x[1]) * (x[1] + x[2]); }),
            of({{0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {2, 0}, {2, 1}}));
  EXPECT_EQ(hessian_of([](const auto& x) { return atan2(x[0], x[1]); }),
            of({{0, 0}, {0, 1}, {1, 0}, {1, 1}}));
  // An inner function's second derivatives stay, scaled.
  EXPECT_EQ(hessian_of([](const auto& x) { return x[1] * sin(x[0]); }),
            of({{0, 0}, {0, 1}, {1, 0}}));
}

TEST(HessianPattern, LeavesOutWhatTheResultDoesNotUse) {
  EXPECT_EQ(hessian_of([](const auto& x) {
              auto unused = x[0] * x[1];
              unused = exp(unused);
              return x[2] * x[2];
            }),
            of({{2, 2}}));
}

TEST(HessianPattern, OfALongSumIsSparse) {
  const auto chain = [](const auto& x) {
    auto sum = 0 * x[0];
    for (int repeat = 0; repeat < 3; ++repeat) {
      for (std::size_t i = 0; i + 1 < x.size(); ++i) {
        sum += pow(x[i + 1] - x[i], 2);
      }
    }
    return sum;
  };
  EXPECT_EQ(hessian_pattern(chain, Vector(300, 1.5)).pattern,
            SparsityPattern::banded(300, 300, 1, 1));
}

/// Every function of one number: that its value is that of the number, and which derivatives it
/// has.
TEST(Dependent, HasTheFunctionsOfANumber) {
  const auto values = [](const auto& x) {
    return std::vector{sqrt(x),      cbrt(x),   exp(x),      exp2(x),   expm1(x),    log(x),
                       log2(x),      log10(x),  log1p(x),    sin(x),    cos(x),      tan(x),
                       asin(x),      acos(x),   atan(x),     sinh(x),   cosh(x),     tanh(x),
                       acosh(1 + x), asinh(x),  atanh(x),    erf(x),    erfc(x),     tgamma(x),
                       lgamma(x),    pow(x, 3), pow(2.0, x), pow(x, x), hypot(x, 2), hypot(x, 1, x),
                       atan2(x, 3)};
  };
  const Vector expected = [] {
    using namespace std;
    const double x = 0.4;
    return Vector{sqrt(x),      cbrt(x),   exp(x),      exp2(x),   expm1(x),    log(x),
                  log2(x),      log10(x),  log1p(x),    sin(x),    cos(x),      tan(x),
                  asin(x),      acos(x),   atan(x),     sinh(x),   cosh(x),     tanh(x),
                  acosh(1 + x), asinh(x),  atanh(x),    erf(x),    erfc(x),     tgamma(x),
                  lgamma(x),    pow(x, 3), pow(2.0, x), pow(x, x), hypot(x, 2), hypot(x, 1, x),
                  atan2(x, 3)};
  }();
  detail::DependencyRecord record;
  const Dependent<double> x(0.4, record, record.input());
  const auto results = values(x);
  ASSERT_EQ(results.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_DOUBLE_EQ(results[i].value(), expected[i]) << i;
    EXPECT_EQ(record.hessian(results[i].vertex()).size(), 1U) << i;
  }
}

TEST(Dependent, HasTheArithmeticOfANumber) {
  detail::DependencyRecord record;
  Dependent<double> x(0.4, record, record.input());
  Dependent<double> y(-1.5, record, record.input());
  EXPECT_DOUBLE_EQ((+x - -y).value(), 0.4 - 1.5);
  EXPECT_DOUBLE_EQ((x * y / 2 + 1).value(), 0.7);
  EXPECT_DOUBLE_EQ(fma(x, y, x).value(), std::fma(0.4, -1.5, 0.4));
  EXPECT_DOUBLE_EQ(lerp(x, y, 0.25).value(), std::lerp(0.4, -1.5, 0.25));
  EXPECT_DOUBLE_EQ(fmod(y, x).value(), std::fmod(-1.5, 0.4));
  EXPECT_DOUBLE_EQ(remainder(y, x).value(), std::remainder(-1.5, 0.4));
  EXPECT_DOUBLE_EQ(ldexp(x, 3).value(), 3.2);
  EXPECT_DOUBLE_EQ(fabs(y).value(), 1.5);
  EXPECT_EQ(ceil(y).value(), -1);
  EXPECT_EQ(trunc(y).value(), -1);
  EXPECT_EQ(nearbyint(x).value(), 0);
  EXPECT_EQ(rint(x).value(), 0);
  EXPECT_TRUE(signbit(y) && isfinite(x) && !isinf(x));
  EXPECT_TRUE(y < x && y <= x && x > y && x >= y && x != y && x == 0.4);
  EXPECT_DOUBLE_EQ((x++).value(), 0.4);
  EXPECT_DOUBLE_EQ((++x).value(), 2.4);
  EXPECT_DOUBLE_EQ((x--).value(), 2.4);
  EXPECT_DOUBLE_EQ((--x).value(), 0.4);
  x -= y;
  x /= 2;
  x *= x;
  EXPECT_DOUBLE_EQ(x.value(), 0.95 * 0.95);
  EXPECT_EQ(record.jacobian({x.vertex()}), SparsityPattern(1, 2, {{0, 0}, {0, 1}}));
  EXPECT_EQ((Dependent<float>(0.5F) * x).value(), 0.5 * x.value());
  EXPECT_EQ(static_cast<Dependent<float>>(x).vertex(), x.vertex());
  static_assert(!std::is_convertible_v<Dependent<double>, Dependent<float>>);
  static_assert(!std::is_convertible_v<Dependent<double>, double>);
  static_assert(!std::is_constructible_v<double, Dependent<double>>);
}

}  // namespace ddx::find_pattern_test
