// The operators, with the entries that the compiler would define written by hand.

#ifndef __DDX__
#define __DDX__ 1  // NOLINT(readability-identifier-naming): what the compiler defines.
#endif

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunknown-attributes"  // Without the compiler there are none.
#include "ddx/ad/operators.h"
#pragma clang diagnostic pop

#include "ddx/ad/detail/entry.h"
#include "ddx/ad/detail/pullback_state.h"
#include "ddx/ad/differential.h"
#include "ddx/ad/pullback.h"
#include "ddx/ad/results.h"
#include "ddx/ad/wrt.h"
#include "ddx/core/error.h"

#include "tests/unit/ad/leaf.h"

#include <concepts>
#include <cstddef>
#include <gtest/gtest.h>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using ddx::testing::Leaf;

struct Square {
  double operator()(double x) const { return x * x; }
};

struct ScaledSum {
  double operator()(double factor, const std::vector<double>& x, int repeat) const {
    double sum = 0;
    for (const double element : x) {
      sum += factor * element * repeat;
    }
    return sum;
  }
};

struct Product {
  float operator()(float x, double y) const { return x * static_cast<float>(y); }
};

struct Nothing {
  double operator()(const Leaf&) const { return 1.0; }
};

double halved(double x) {
  return x / 2;
}

using First = std::index_sequence<0>;
using Second = std::index_sequence<1>;
using Both = std::index_sequence<0, 1>;
using Swapped = std::index_sequence<1, 0>;

class SquareState final : public ddx::detail::PullbackState<double, std::tuple<double>> {
 public:
  explicit SquareState(double x) : x_(x) { value = x * x; }
  void reverse(const double& seed, std::tuple<double>& tangents) override {
    std::get<0>(tangents) += 2 * x_ * seed;
  }

 private:
  double x_;
};

class ScaledSumState final
    : public ddx::detail::PullbackState<double, std::tuple<std::vector<double>>> {
 public:
  ScaledSumState(double slope, double sum) : slope_(slope) { value = sum; }
  void reverse(const double& seed, std::tuple<std::vector<double>>& tangents) override {
    for (double& element : std::get<0>(tangents)) {
      element += slope_ * seed;
    }
  }

 private:
  double slope_;
};

}  // namespace

template <>
double ddx::detail::value_with_gradient_entry<First, Square, double>(const Square& f,
                                                                     std::tuple<double>& tangents,
                                                                     const double& x) {
  std::get<0>(tangents) += 2 * x;
  return primal(f, x);
}

template <>
double ddx::detail::value_with_gradient_entry<First, double (*)(double), double>(
    double (*const& f)(double), std::tuple<double>& tangents, const double& x) {
  std::get<0>(tangents) += f == &halved ? 0.5 : 0.0;
  return primal(f, x);
}

template <>
double ddx::detail::value_with_differential_entry<First, Square, double>(const Square& f,
                                                                         double& differential,
                                                                         const double& x,
                                                                         const double& dx) {
  differential = 2 * x * dx;
  return primal(f, x);
}

template <>
double ddx::detail::value_with_differential_entry<First, double (*)(double), double>(
    double (*const& f)(double), double& differential, const double& x, const double& dx) {
  differential = f == &halved ? dx / 2 : 0.0;
  return primal(f, x);
}

template <>
double
ddx::detail::value_with_differential_entry<Swapped, ScaledSum, double, std::vector<double>, int>(
    const ScaledSum& f, double& differential, const double& factor, const std::vector<double>& x,
    const int& repeat, const std::vector<double>& dx, const double& dfactor) {
  differential = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    differential += factor * repeat * dx.at(i) + x[i] * repeat * dfactor;
  }
  return primal(f, factor, x, repeat);
}

template <>
double ddx::detail::value_with_gradient_entry<Swapped, ScaledSum, double, std::vector<double>, int>(
    const ScaledSum& f, std::tuple<std::vector<double>, double>& tangents, const double& factor,
    const std::vector<double>& x, const int& repeat) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::get<0>(tangents)[i] += factor * repeat;
    std::get<1>(tangents) += x[i] * repeat;
  }
  return primal(f, factor, x, repeat);
}

template <>
float ddx::detail::value_with_gradient_entry<Both, Product, float, double>(
    const Product& f, std::tuple<float, double>& tangents, const float& x, const double& y) {
  std::get<0>(tangents) += static_cast<float>(y);
  std::get<1>(tangents) += static_cast<double>(x);
  return primal(f, x, y);
}

template <>
double ddx::detail::value_with_gradient_entry<First, Nothing, Leaf>(const Nothing& f,
                                                                    std::tuple<Leaf>& tangents,
                                                                    const Leaf& x) {
  std::get<0>(tangents) = Leaf{};
  return primal(f, x);
}

template <>
ddx::detail::Owned<ddx::detail::PullbackState<double, std::tuple<double>>>
ddx::detail::pullback_entry<First, Square, double>(const Square&, const double& x) {
  return ddx::detail::make_owned<SquareState>(x);
}

template <>
ddx::detail::Owned<ddx::detail::PullbackState<double, std::tuple<std::vector<double>>>>
ddx::detail::pullback_entry<Second, ScaledSum, double, std::vector<double>, int>(
    const ScaledSum& f, const double& factor, const std::vector<double>& x, const int& repeat) {
  return ddx::detail::make_owned<ScaledSumState>(factor * repeat, primal(f, factor, x, repeat));
}

namespace {

TEST(Gradient, OfOneArgumentIsOneTangent) {
  const double slope = ddx::gradient(Square{}, 3.0);
  EXPECT_EQ(slope, 6.0);
}

TEST(Gradient, OfSeveralArgumentsIsATupleInTheirTypes) {
  const auto gradient = ddx::gradient(Product{}, 2.0F, 3.0);
  EXPECT_EQ(gradient, (std::tuple<float, double>(3.0F, 2.0)));
}

TEST(Gradient, FollowsTheOrderOfWrt) {
  const auto [dx, dfactor] =
      ddx::gradient(ScaledSum{}, ddx::wrt<1, 0>, 2.0, std::vector{3.0, 4.0}, 5);
  EXPECT_EQ(dx, (std::vector{10.0, 10.0}));
  EXPECT_EQ(dfactor, 35.0);
}

TEST(Gradient, TakesAFunctionByName) {
  EXPECT_EQ(ddx::gradient(halved, 8.0), 0.5);
}

TEST(Gradient, GivesASymbolicZeroTheShapeOfItsArgument) {
  EXPECT_EQ(ddx::gradient(Nothing{}, Leaf{{1.0, 2.0}}), (Leaf{{0.0, 0.0}}));
}

TEST(ValueWithGradient, GivesBoth) {
  const ddx::ValueWithGradient<double, double> both = ddx::value_with_gradient(Square{}, 3.0);
  const auto [value, gradient] = both;
  EXPECT_EQ(value, 9.0);
  EXPECT_EQ(gradient, 6.0);
}

TEST(Derivative, IsANumber) {
  EXPECT_EQ(ddx::derivative(Square{}, 3.0), 6.0);
  EXPECT_TRUE((std::same_as<decltype(ddx::derivative(Square{}, 3.0)), double>));
  const auto [value, derivative] = ddx::value_with_derivative(halved, 8.0);
  EXPECT_EQ(value, 4.0);
  EXPECT_EQ(derivative, 0.5);
}

TEST(Jvp, GoesAlongTheSelectedArguments) {
  const std::vector<double> x{1.0, 2.0};
  const auto [value, tangent] =
      ddx::jvp(ScaledSum{}, ddx::wrt<1, 0>, ddx::along(std::vector{10.0, 100.0}, 0.5), 3.0, x, 2);
  EXPECT_EQ(value, 18.0);
  EXPECT_EQ(tangent, 3.0 * 2 * 110 + 0.5 * 2 * 3);
}

TEST(Jvp, TakesAnEmptyVectorForZerosAndNoOtherLength) {
  const std::vector<double> x{1.0, 2.0};
  const auto along = [&](const std::vector<double>& dx) {
    return ddx::jvp(ScaledSum{}, ddx::wrt<1, 0>, ddx::along(dx, 1.0), 3.0, x, 2).tangent;
  };
  EXPECT_EQ(along({}), 6.0);
  EXPECT_THROW((void)along({1.0}), ddx::UsageError);
}

TEST(DifferentialOperator, OutlivesTheArguments) {
  const auto df = [] {
    const double x = 3.0;
    return ddx::differential(Square{}, x);
  }();
  EXPECT_EQ(df(1.0), 6.0);
  EXPECT_EQ(df(-0.5), -3.0);
  const auto [value, again] = ddx::value_with_differential(halved, 8.0);
  EXPECT_EQ(value, 4.0);
  EXPECT_EQ(again(3.0), 1.5);
  const std::vector<double> x{1.0, 2.0};
  EXPECT_EQ(ddx::differential(ScaledSum{}, ddx::wrt<1, 0>, 3.0, x, 2)({10.0, 100.0}, 0.5), 663.0);
}

TEST(PullbackOperator, OutlivesTheArguments) {
  ddx::Pullback<double, double> back = [] {
    const double x = 3.0;
    return ddx::pullback(Square{}, x);
  }();
  EXPECT_EQ(back(1.0), 6.0);
  EXPECT_EQ(back(10.0), 60.0);
}

TEST(PullbackOperator, ComesWithTheValueAndTakesWrt) {
  const auto [value, back] =
      ddx::value_with_pullback(ScaledSum{}, ddx::wrt<1>, 2.0, std::vector{3.0, 4.0}, 5);
  EXPECT_EQ(value, 70.0);
  EXPECT_EQ(back(0.5), (std::vector{5.0, 5.0}));
}

}  // namespace
