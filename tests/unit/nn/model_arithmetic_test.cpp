#include "ddx/nn/model_arithmetic.h"

#include "ddx/ad/differentiable.h"
#include "ddx/ad/operators.h"
#include "ddx/core/error.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/temporary_folder.h"

#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

namespace ddx::nn {
namespace model_arithmetic_test {

using ddx::testing::message_of;

struct Part {
  Tensor<double> vector{1, 2};
  float number = 3;

  DDX_DIFFERENTIABLE(Part, vector, number)
};

/// Parameters of several types, in an object and in a list, and a field that is none.
struct Model {
  Part part;
  std::vector<Tensor<float>> list{Tensor<float>{{4}}, Tensor<float>{5, 6}};
  int kept = 7;

  DDX_DIFFERENTIABLE(Model, part, list)
};

/// The elements of all parameters in their order.
template <class Any>
std::vector<double> numbers(const Any& model) {
  std::vector<double> all;
  visit_parameters(
      [&](const Path&, const auto& x) {
        if constexpr (requires { x.values(); }) {
          for (const auto element : x.values()) {
            all.push_back(static_cast<double>(element));
          }
        } else {
          all.push_back(static_cast<double>(x));
        }
      },
      model);
  return all;
}

using Numbers = std::vector<double>;

TEST(ModelArithmetic, MapsAndZipsEachParameter) {
  const Model model;
  const auto doubled = mapped(model, []<class X>(const X& x) -> X { return x * 2; });
  EXPECT_EQ(numbers(doubled), (Numbers{2, 4, 6, 8, 10, 12}));
  EXPECT_EQ(doubled.kept, 7);
  const auto differences =
      zipped(doubled, model, []<class X>(const X& x, const X& y) -> X { return x * 10 - y; });
  EXPECT_EQ(numbers(differences), (Numbers{19, 38, 57, 76, 95, 114}));
  EXPECT_EQ(numbers(model), (Numbers{1, 2, 3, 4, 5, 6}));
}

TEST(ModelArithmetic, IsAVectorSpace) {
  const Model a;
  const auto b = shifted(scaled(a, 10), 1);
  EXPECT_EQ(numbers(b), (Numbers{11, 21, 31, 41, 51, 61}));
  EXPECT_EQ(numbers(plus(a, b)), (Numbers{12, 23, 34, 45, 56, 67}));
  EXPECT_EQ(numbers(minus(a, b)), (Numbers{-10, -19, -28, -37, -46, -55}));
  EXPECT_EQ(numbers(plus_scaled(a, 0.5, b)), (Numbers{6.5, 12.5, 18.5, 24.5, 30.5, 36.5}));
  EXPECT_EQ(dot(a, b), 11 + 42 + 93 + 164 + 255 + 366);
  EXPECT_EQ(parameter_count(a), 6);
}

TEST(ModelArithmetic, MultipliesAndDividesPointByPoint) {
  const Model a;
  EXPECT_EQ(numbers(times(a, a)), (Numbers{1, 4, 9, 16, 25, 36}));
  EXPECT_EQ(numbers(over(times(a, a), a)), (Numbers{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(numbers(reciprocal(shifted(scaled(a, 0), 4))), Numbers(6, 0.25));
  EXPECT_EQ(numbers(pow(a, shifted(scaled(a, 0), 2))), (Numbers{1, 4, 9, 16, 25, 36}));
  EXPECT_EQ(numbers(pow(a, 2)), (Numbers{1, 4, 9, 16, 25, 36}));
}

TEST(ModelArithmetic, HasTheElementaryFunctions) {
  const auto a = scaled(Model(), 0.125);
  const auto expect = [&](const Model& result, auto f) {
    const auto found = numbers(result);
    const auto inputs = numbers(a);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      EXPECT_NEAR(found[i], f(inputs[i]), 1e-6) << i;
    }
  };
  expect(nn::sqrt(a), [](double x) { return std::sqrt(x); });
  expect(nn::cos(a), [](double x) { return std::cos(x); });
  expect(nn::sin(a), [](double x) { return std::sin(x); });
  expect(nn::tan(a), [](double x) { return std::tan(x); });
  expect(nn::acos(a), [](double x) { return std::acos(x); });
  expect(nn::asin(a), [](double x) { return std::asin(x); });
  expect(nn::atan(a), [](double x) { return std::atan(x); });
  expect(nn::cosh(a), [](double x) { return std::cosh(x); });
  expect(nn::sinh(a), [](double x) { return std::sinh(x); });
  expect(nn::tanh(a), [](double x) { return std::tanh(x); });
  expect(nn::asinh(a), [](double x) { return std::asinh(x); });
  expect(nn::atanh(a), [](double x) { return std::atanh(x); });
  expect(nn::exp(a), [](double x) { return std::exp(x); });
  expect(nn::exp2(a), [](double x) { return std::exp2(x); });
  expect(nn::expm1(a), [](double x) { return std::expm1(x); });
  expect(nn::log(a), [](double x) { return std::log(x); });
  expect(nn::log2(a), [](double x) { return std::log2(x); });
  expect(nn::log10(a), [](double x) { return std::log10(x); });
  expect(nn::log1p(a), [](double x) { return std::log1p(x); });
  expect(nn::exp10(a), [](double x) { return std::pow(10, x); });
  expect(nn::root(a, 3), [](double x) { return std::cbrt(x); });
  const auto above_one = numbers(nn::acosh(shifted(Model(), 0.5)));
  EXPECT_NEAR(above_one[0], std::acosh(1.5), 1e-6);
  EXPECT_NEAR(above_one[5], std::acosh(6.5), 1e-6);
  EXPECT_EQ(numbers(nn::abs(scaled(Model(), -1))), numbers(Model()));
}

TEST(ModelArithmetic, TakesTangentsWithSymbolicZeros) {
  const Model model;
  // The number and the second of the list do not matter: their gradients are zeros.
  Model::TangentVector slope{};
  slope.part.vector = Tensor<double>{1, -1};
  slope.list = {Tensor<float>{{2}}, Tensor<float>()};
  EXPECT_EQ(dot(slope, slope), 6);
  const auto sum = plus(slope, slope);
  EXPECT_EQ(sum.part.vector, (Tensor<double>{2, -2}));
  EXPECT_TRUE(sum.list[1].is_symbolic_zero());
  EXPECT_TRUE(nn::sin(scaled(slope, 3)).list[1].is_symbolic_zero());
  Model::TangentVector other{};
  other.list = {Tensor<float>(), Tensor<float>{5, 6}};
  const auto both = minus(slope, other);
  EXPECT_EQ(both.list[0], Tensor<float>{{2}});
  EXPECT_EQ(both.list[1], (Tensor<float>{-5, -6}));
  EXPECT_EQ(times(slope, other).list[1], (Tensor<float>{0, 0}));
  EXPECT_TRUE(times(slope, slope).list[1].is_symbolic_zero());
  EXPECT_EQ(
      message_of<UsageError>([&] { (void)nn::cos(slope); }),
      "mapped: the zero at list.1 is symbolic: it has no shape that a value other than 0 could "
      "take");
  EXPECT_EQ(
      message_of<UsageError>([&] { (void)over(slope, slope); }),
      "zipped: the zero at list.1 is symbolic: it has no shape that a value other than 0 could "
      "take");
}

TEST(ModelArithmetic, TakesWhatGradientGives) {
  const Dense<double> layer({.in = 2, .out = 3});
  const auto slope = gradient(
      [](const Dense<double>& l) { return sum(l.weight * l.weight) + sum(l.bias); }, layer);
  // d/dw sum w^2 = 2 w; d/db sum b = 1: the product with the gradient is 4 |w|^2 + 3.
  EXPECT_NEAR(dot(slope, slope), 4 * sum(layer.weight * layer.weight).item() + 3, 1e-12);
}

TEST(ModelArithmetic, ComparesModels) {
  const Model a;
  EXPECT_TRUE(all_close(a, shifted(a, 1e-7)));
  EXPECT_FALSE(all_close(a, shifted(a, 1e-2)));
  EXPECT_TRUE(all_close(a, shifted(a, 1e-2), {.relative = 0, .absolute = 0.1}));
  Model changed = a;
  changed.list[1] = Tensor<float>{5, 7};
  EXPECT_FALSE(all_close(a, changed));
  changed.list[1] = Tensor<float>{{5, 6}};
  EXPECT_FALSE(all_close(a, changed));
  changed = a;
  changed.part.number = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(all_close(changed, changed));
  Model::TangentVector zero{};
  zero.list.resize(2);
  auto zeros = zero;
  zeros.part.vector = Tensor<double>{0, 0};
  EXPECT_TRUE(all_close(zero, zeros));
  zeros.part.vector = Tensor<double>{0, 1};
  EXPECT_FALSE(all_close(zero, zeros));
}

TEST(ModelArithmetic, OtherShapesAreErrors) {
  const Model a;
  Model b;
  b.list[1] = Tensor<float>{{5, 6}};
  EXPECT_EQ(message_of<UsageError>([&] { (void)plus(a, b); }),
            "zipped: the value of list.1 has shape [2], its counterpart has shape [1, 2]");
  EXPECT_EQ(message_of<UsageError>([&] { (void)dot(a, b); }),
            "dot: the value of list.1 has shape [2], its counterpart has shape [1, 2]");
  b.list.pop_back();
  EXPECT_EQ(message_of<UsageError>([&] { (void)dot(a, b); }),
            "visit: list has 2 elements, its counterpart has 1");
}

}  // namespace model_arithmetic_test
}  // namespace ddx::nn
