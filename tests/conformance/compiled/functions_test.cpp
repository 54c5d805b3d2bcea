// Functions that are compositions of operations, or have no row of their own, differentiated by the
// compiler in both modes.

#include "ddx/ddx.h"

#include "tests/conformance/compiled/checks.h"
#include "tests/conformance/gradient_check.h"

#include <gtest/gtest.h>
#include <limits>

namespace ddx::testing {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

const Doubles x{{0.5, -1.5}, {2.25, 0.75}};
const Doubles inside{{0.5, -0.75}, {0.25, -0.125}};
const Doubles positive{{0.5, 1.5}, {2.25, 0.75}};
const Doubles row{0.3, -0.8};

#define EXPECT_DERIVATIVES_AT(at, ...)                                               \
  {                                                                                  \
    SCOPED_TRACE(#__VA_ARGS__);                                                      \
    expect_derivatives([](const Doubles& t) -> Doubles { return __VA_ARGS__; }, at); \
  }

TEST(CompiledFunctions, ExponentialsAndLogarithms) {
  EXPECT_DERIVATIVES_AT(x, exp2(t) + exp10(t * 0.25));
  EXPECT_DERIVATIVES_AT(positive, log2(t) * log10(t));
  EXPECT_DERIVATIVES_AT(positive, log1mexp(-t));
}

TEST(CompiledFunctions, CircularAndHyperbolic) {
  EXPECT_DERIVATIVES_AT(inside, tan(t) + asin(t) * acos(t) + atanh(t));
  EXPECT_DERIVATIVES_AT(x, atan(t) * sinh(t) + cosh(t) * asinh(t));
  EXPECT_DERIVATIVES_AT(positive, acosh(t + 1.0) + atan2(t, row) + atan2(row, t));
}

TEST(CompiledFunctions, Special) {
  EXPECT_DERIVATIVES_AT(x, erf(t) + erfc(t * 0.5));
  EXPECT_DERIVATIVES_AT(positive, lgamma(t) + digamma(t) * polygamma(2, t));
  EXPECT_DERIVATIVES_AT(x, lgamma(t - 0.2));
}

TEST(CompiledFunctions, PairsAndNumbers) {
  EXPECT_DERIVATIVES_AT(x, remainder(t, row) + remainder(t, 0.7) + remainder(3.1, t));
  EXPECT_DERIVATIVES_AT(x, fmod(t, row) + fmod(t, 0.7) + fmod(3.1, t));
  EXPECT_DERIVATIVES_AT(x, floor_divide(t, row) * t + floor_divide(t, 0.7) + floor_divide(3.1, t));
  EXPECT_DERIVATIVES_AT(x, squared_difference(t, row) + squared_difference(t, 1.5));
  EXPECT_DERIVATIVES_AT(x, maximum(t, 0.6) + maximum(0.6, t) * minimum(t, 0.7) - minimum(0.7, t));
  EXPECT_DERIVATIVES_AT(x, clip(t, -1.0, 1.0) + clip(t, row, 1.0) - clip(t, -2.0, row));
  EXPECT_DERIVATIVES_AT(x, clip(row, t, t + 1.0));
  EXPECT_DERIVATIVES_AT(x, select(greater(t, 0.6), t * t, 7.0) + select(less(0.6, t), 7.0, sin(t)));
  EXPECT_DERIVATIVES_AT(positive, pow(t, 1.7) + pow(1.7, t) + pow(t, -2));
  EXPECT_DERIVATIVES_AT(x, pow(t, 2) + pow(t, 3) + root(t, 3) + root(t, 1));
  EXPECT_DERIVATIVES_AT(positive, root(t, 2) + root(t, 4));
}

TEST(CompiledFunctions, AtTheirEdgesInBothModes) {
  const Doubles origin{0, 0};
  const auto tangent = [&](auto f) { return jvp(f, ddx::along(Doubles{1, 1}), origin).tangent; };
  EXPECT_EQ(tangent([](const Doubles& t) { return atan2(t, t); }), origin);
  EXPECT_EQ(tangent([](const Doubles& t) { return standard_deviation(t); }).item(), 0);
  EXPECT_EQ(tangent([](const Doubles& t) { return norm(t); }).item(), 0);
  EXPECT_EQ(tangent([](const Doubles& t) { return pow(t, t); }), origin);
  EXPECT_EQ(tangent([](const Doubles& t) { return product(t); }).item(), 0);
}

// The number's derivative is the sum of those of the elements that it is part of: by hand.
TEST(CompiledFunctions, NumbersHaveDerivativesToo) {
  EXPECT_EQ(gradient([](double s) { return sum(maximum(x, s)); }, 0.6), 2);
  EXPECT_EQ(gradient([](double s) { return sum(clip(x, -10.0, s)); }, 0.6), 2);
  EXPECT_EQ(gradient([](double s) { return sum(select(greater(x, 0.6), x, s)); }, 0.6), 2);
  EXPECT_EQ(gradient([](double s) { return sum(squared_difference(row, s)); }, 1.0), 2 * 2.5);
  EXPECT_EQ(gradient([](double s) { return sum(leaky_relu(x, s)); }, 0.1), -1.5);
}

TEST(CompiledFunctions, Activations) {
  EXPECT_DERIVATIVES_AT(x, softplus(t) * log_sigmoid(t) + softsign(t));
  EXPECT_DERIVATIVES_AT(x, elu(t, 0.7) + selu(t) * leaky_relu(t) + relu6(t * 3.0));
  EXPECT_DERIVATIVES_AT(x, gelu(t) + gelu_tanh(t) * swish(t, 0.5) + silu(t) * mish(t));
  EXPECT_DERIVATIVES_AT(x, hard_sigmoid(t) * hard_swish(t));
}

TEST(CompiledFunctions, Reductions) {
  const Doubles with_zeros{{0, -1.5, 2}, {2.25, 0, 0}};
  EXPECT_DERIVATIVES_AT(with_zeros, product(t * t + t, {.axes = {1}}));
  EXPECT_DERIVATIVES_AT(with_zeros, product(t + 1.0) * product(t, {.axes = {0}}));
  EXPECT_DERIVATIVES_AT(x, log_sum_exp(t * 3.0, {.axes = {0}, .keep_dims = true}));
  EXPECT_DERIVATIVES_AT(x, variance(t, {.axes = {1}}) * standard_deviation(t, {.unbiased = true}));
  EXPECT_DERIVATIVES_AT(x, moments(t, {.axes = {0}}).mean * moments(t, {.axes = {0}}).variance);
}

TEST(CompiledFunctions, NormsAndAngles) {
  EXPECT_DERIVATIVES_AT(x, norm(t) + norm(t, {.order = 1, .axes = {0}}));
  EXPECT_DERIVATIVES_AT(x, norm(t, {.order = 3}) * norm(t, {.order = infinity, .axes = {1}}));
  EXPECT_DERIVATIVES_AT(x, cosine_similarity(t, row) + cosine_distance(t, t * t, {.axes = {0}}));
}

TEST(CompiledFunctions, Cumulative) {
  EXPECT_DERIVATIVES_AT(x, cumulative_sum(t * t) * cumulative_max(t, {.axis = 0}));
  EXPECT_DERIVATIVES_AT(x, cumulative_product(t, {.exclusive = true, .reverse = true}));
  EXPECT_DERIVATIVES_AT(x, cumulative_log_sum_exp(t * 3.0, {.reverse = true}));
  EXPECT_DERIVATIVES_AT(x, linear_recurrence(t, t * t + row, {.axis = 0}));
}

}  // namespace
}  // namespace ddx::testing
