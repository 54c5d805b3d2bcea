#include "ddx/nn/runtime_number.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/compile.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <utility>
#include <vector>

namespace ddx::nn {
namespace runtime_number_test {

RuntimeNumber awaited(double value) {
  return RuntimeNumber(Tensor<double>(value, Device::lazy()));
}

/// What a function of two numbers gives where none is known, one is, or both.
template <class F>
std::vector<double> all_ways(const F& f, double a, double b) {
  EXPECT_TRUE(RuntimeNumber(f(RuntimeNumber(a), RuntimeNumber(b))).is_known());
  EXPECT_FALSE(RuntimeNumber(f(awaited(a), RuntimeNumber(b))).is_known());
  EXPECT_FALSE(RuntimeNumber(f(RuntimeNumber(a), awaited(b))).is_known());
  return {f(RuntimeNumber(a), RuntimeNumber(b)).value(), f(awaited(a), RuntimeNumber(b)).value(),
          f(RuntimeNumber(a), awaited(b)).value(), f(awaited(a), awaited(b)).value()};
}

template <class F>
void expect_all(const F& f, double a, double b, double expected) {
  for (const double value : all_ways(f, a, b)) {
    EXPECT_NEAR(value, expected, 1e-15 * std::abs(expected)) << a << ", " << b;
  }
}

TEST(RuntimeNumber, ItsArithmeticIsThatOfNumbers) {
  using N = RuntimeNumber;
  expect_all([](const N& a, const N& b) { return a + b; }, 3, 0.25, 3.25);
  expect_all([](const N& a, const N& b) { return a - b; }, 3, 0.25, 2.75);
  expect_all([](const N& a, const N& b) { return a * b; }, 3, 0.25, 0.75);
  expect_all([](const N& a, const N& b) { return a / b; }, 3, 0.25, 12);
  expect_all([](const N& a, const N& b) { return -a - b; }, 3, 0.25, -3.25);
  expect_all([](const N& a, const N& b) { return pow(a, b); }, 16, 0.25, 2);
  expect_all([](const N& a, const N& b) { return sqrt(a * b); }, 9, 0.25, 1.5);
  expect_all([](const N& a, const N& b) { return min(a, b); }, 3, -4, -4);
  expect_all([](const N& a, const N& b) { return max(a, b); }, 3, -4, 3);
}

TEST(RuntimeNumber, HypotDoesNotOverflowOnTheWay) {
  const auto f = [](const RuntimeNumber& a, const RuntimeNumber& b) { return hypot(a, b); };
  expect_all(f, 3, -4, 5);
  expect_all(f, 3e200, 4e200, 5e200);
  expect_all(f, 3e-200, 4e-200, 5e-200);
  expect_all(f, 0, 0, 0);
}

TEST(RuntimeNumber, ChoosesByTheSignOfANumber) {
  const auto f = [](const RuntimeNumber& a, const RuntimeNumber& b) {
    return choose_positive(a, b, 7) + choose_positive(b, 0, 0);
  };
  expect_all(f, 1e-300, 2, 2);
  expect_all(f, 0, 2, 7);
  expect_all(f, -1, 2, 7);
  expect_all(f, std::numeric_limits<double>::quiet_NaN(), 2, 7);
}

TEST(RuntimeNumber, ANaNWinsWhetherItIsKnownOrNot) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  using N = RuntimeNumber;
  const auto expect_nan = [](const auto& f, double a, double b) {
    for (const double value : all_ways(f, a, b)) {
      EXPECT_TRUE(std::isnan(value)) << a << ", " << b;
    }
  };
  for (const auto& [a, b] : {std::pair(nan, 1.0), std::pair(1.0, nan)}) {
    expect_nan([](const N& x, const N& y) { return min(x, y); }, a, b);
    expect_nan([](const N& x, const N& y) { return max(x, y); }, a, b);
    expect_nan([](const N& x, const N& y) { return choose_zero(min(x, y), 7, x / y); }, a, b);
  }
}

TEST(RuntimeNumber, ChoosesWhereANumberIsZero) {
  const auto f = [](const RuntimeNumber& a, const RuntimeNumber& b) {
    return choose_zero(a, b, 7) + choose_zero(b, 0, 0);
  };
  expect_all(f, 0, 2, 2);
  expect_all(f, 1e-300, 2, 7);
  expect_all(f, -1, 2, 7);
}

TEST(RuntimeNumber, IsKnownUnlessItsTensorIsOfALazyDevice) {
  const RuntimeNumber at_once(Tensor<float>(2.5F));
  EXPECT_TRUE(at_once.is_known());
  EXPECT_EQ(at_once.value(), 2.5);
  const RuntimeNumber later(Tensor<float>(2.5F, Device::lazy()));
  EXPECT_FALSE(later.is_known());
  EXPECT_FALSE(later.is_staged());
  EXPECT_EQ(later.value(), 2.5);
  EXPECT_EQ(later.computed<float>().item(), 2.5F);
}

TEST(RuntimeNumber, ToLookAtAStagedOneIsAnError) {
  const auto f = compile([](const Tensor<double>& x) {
    const RuntimeNumber number(x);
    EXPECT_TRUE(number.is_staged());
    return x * number.value();
  });
  EXPECT_THROW((void)f(Tensor<double>(2.0)), UsageError);
}

}  // namespace runtime_number_test
}  // namespace ddx::nn
