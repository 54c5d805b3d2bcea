#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/ops/op.h"
#include "ddx/tensor.h"

#include "tests/conformance/gradient_check.h"
#include "tests/conformance/gradients.h"

#include <map>
#include <source_location>
#include <utility>

namespace ddx::testing {
namespace {

using ops::Op;
using ops::Saves;

/// A check of a function of one tensor, on several shapes.
template <class ValueOf, class VjpOf>
GradientCheck unary(Op op, ValueOf value_of, VjpOf vjp_of) {
  return [=](Saves saves, Device device) {
    for (const Shape& shape : {Shape{}, Shape{17}, Shape{2, 3, 4}}) {
      expect_gradient(saves, value_of, vjp_of,
                      random_tensor(shape, 1, device, ops::info(op).domain));
    }
  };
}

/// A check of a function of two tensors, on several pairs of shapes.
template <class ValueOf, class VjpOf>
GradientCheck binary(Op op, ValueOf value_of, VjpOf vjp_of) {
  return [=](Saves saves, Device device) {
    for (const auto& [a, b] : {std::pair{Shape{17}, Shape{17}},
                               {Shape{}, Shape{9}},
                               {Shape{9}, Shape{}},
                               {Shape{3, 5}, Shape{5}},
                               {Shape{3, 1}, Shape{1, 5}},
                               {Shape{2, 1, 4}, Shape{3, 1}}}) {
      SCOPED_TRACE(to_string(a) + " with " + to_string(b));
      expect_gradient(saves, value_of, vjp_of, random_tensor(a, 1, device, ops::info(op).domain),
                      random_tensor(b, 2, device, ops::info(op).domain));
    }
  };
}

/// As above, and with a bare number on either side.
template <class Apply, class Vjp>
GradientCheck arithmetic(Op op, Apply apply, Vjp vjp_of) {
  const GradientCheck tensors = binary(op, apply, vjp_of);
  return [=](Saves saves, Device device) {
    tensors(saves, device);
    expect_gradient(saves == Saves::Nothing ? saves : Saves::Inputs, apply, vjp_of,
                    random_tensor({7}, 1, device, ops::info(op).domain), 1.5);
    expect_gradient(saves == Saves::Nothing ? saves : Saves::Inputs, apply, vjp_of, 1.5,
                    random_tensor({7}, 1, device, ops::info(op).domain));
  };
}

// The registered derivative for each kind of operands.
auto add_derivative(const Doubles& a, const Doubles& b) {
  return add_vjp(a, b);
}
auto add_derivative(const Doubles& a, double b) {
  return add_number_vjp(a, b);
}
auto add_derivative(double a, const Doubles& b) {
  return number_add_vjp(a, b);
}

auto sub_derivative(const Doubles& a, const Doubles& b) {
  return sub_vjp(a, b);
}
auto sub_derivative(const Doubles& a, double b) {
  return sub_number_vjp(a, b);
}
auto sub_derivative(double a, const Doubles& b) {
  return number_sub_vjp(a, b);
}

auto mul_derivative(const Doubles& a, const Doubles& b) {
  return mul_vjp(a, b);
}
auto mul_derivative(const Doubles& a, double b) {
  return mul_number_vjp(a, b);
}
auto mul_derivative(double a, const Doubles& b) {
  return number_mul_vjp(a, b);
}

auto div_derivative(const Doubles& a, const Doubles& b) {
  return div_vjp(a, b);
}
auto div_derivative(const Doubles& a, double b) {
  return div_number_vjp(a, b);
}
auto div_derivative(double a, const Doubles& b) {
  return number_div_vjp(a, b);
}

}  // namespace

std::map<Op, GradientCheck> elementwise_gradients() {
  const std::source_location here;
  return {
      {Op::neg, unary(
                    Op::neg, [](const Doubles& x) { return -x; },
                    [](const Doubles& x) { return neg_vjp(x); })},
      {Op::abs, unary(
                    Op::abs, [](const Doubles& x) { return abs(x); },
                    [](const Doubles& x) { return abs_vjp(x); })},
      {Op::sign, unary(
                     Op::sign, [](const Doubles& x) { return sign(x); },
                     [](const Doubles& x) { return sign_vjp(x); })},
      {Op::square, unary(
                       Op::square, [](const Doubles& x) { return square(x); },
                       [](const Doubles& x) { return square_vjp(x); })},
      {Op::relu, unary(
                     Op::relu, [](const Doubles& x) { return relu(x); },
                     [](const Doubles& x) { return relu_vjp(x); })},
      {Op::reciprocal, unary(
                           Op::reciprocal, [](const Doubles& x) { return reciprocal(x); },
                           [](const Doubles& x) { return reciprocal_vjp(x); })},
      {Op::exp, unary(
                    Op::exp, [](const Doubles& x) { return exp(x); },
                    [](const Doubles& x) { return exp_vjp(x); })},
      {Op::expm1, unary(
                      Op::expm1, [](const Doubles& x) { return expm1(x); },
                      [](const Doubles& x) { return expm1_vjp(x); })},
      {Op::log, unary(
                    Op::log, [](const Doubles& x) { return log(x); },
                    [](const Doubles& x) { return log_vjp(x); })},
      {Op::log1p, unary(
                      Op::log1p, [](const Doubles& x) { return log1p(x); },
                      [](const Doubles& x) { return log1p_vjp(x); })},
      {Op::sqrt, unary(
                     Op::sqrt, [](const Doubles& x) { return sqrt(x); },
                     [](const Doubles& x) { return sqrt_vjp(x); })},
      {Op::rsqrt, unary(
                      Op::rsqrt, [](const Doubles& x) { return rsqrt(x); },
                      [](const Doubles& x) { return rsqrt_vjp(x); })},
      {Op::sin, unary(
                    Op::sin, [](const Doubles& x) { return sin(x); },
                    [](const Doubles& x) { return sin_vjp(x); })},
      {Op::cos, unary(
                    Op::cos, [](const Doubles& x) { return cos(x); },
                    [](const Doubles& x) { return cos_vjp(x); })},
      {Op::tanh, unary(
                     Op::tanh, [](const Doubles& x) { return tanh(x); },
                     [](const Doubles& x) { return tanh_vjp(x); })},
      {Op::sigmoid, unary(
                        Op::sigmoid, [](const Doubles& x) { return sigmoid(x); },
                        [](const Doubles& x) { return sigmoid_vjp(x); })},
      {Op::floor, unary(
                      Op::floor, [](const Doubles& x) { return floor(x); },
                      [](const Doubles& x) { return floor_vjp(x); })},
      {Op::ceil, unary(
                     Op::ceil, [](const Doubles& x) { return ceil(x); },
                     [](const Doubles& x) { return ceil_vjp(x); })},
      {Op::round, unary(
                      Op::round, [](const Doubles& x) { return round(x); },
                      [](const Doubles& x) { return round_vjp(x); })},
      {Op::add, arithmetic(
                    Op::add, [](const auto& a, const auto& b) { return a + b; },
                    [](const auto& a, const auto& b) { return add_derivative(a, b); })},
      {Op::sub, arithmetic(
                    Op::sub, [](const auto& a, const auto& b) { return a - b; },
                    [](const auto& a, const auto& b) { return sub_derivative(a, b); })},
      {Op::mul, arithmetic(
                    Op::mul, [](const auto& a, const auto& b) { return a * b; },
                    [](const auto& a, const auto& b) { return mul_derivative(a, b); })},
      {Op::div, arithmetic(
                    Op::div, [](const auto& a, const auto& b) { return a / b; },
                    [](const auto& a, const auto& b) { return div_derivative(a, b); })},
      {Op::pow, binary(
                    Op::pow, [](const Doubles& a, const Doubles& b) { return pow(a, b); },
                    [=](const Doubles& a, const Doubles& b) { return pow_vjp(a, b, here); })},
      {Op::maximum,
       binary(
           Op::maximum, [](const Doubles& a, const Doubles& b) { return maximum(a, b); },
           [=](const Doubles& a, const Doubles& b) { return maximum_vjp(a, b, here); })},
      {Op::minimum,
       binary(
           Op::minimum, [](const Doubles& a, const Doubles& b) { return minimum(a, b); },
           [=](const Doubles& a, const Doubles& b) { return minimum_vjp(a, b, here); })},
      {Op::add_scaled,
       [=](Saves saves, Device device) {
         for (const auto& [a, b] :
              {std::pair{Shape{17}, Shape{17}}, {Shape{3, 5}, Shape{5}}, {Shape{5}, Shape{3, 5}}}) {
           expect_gradient(
               saves,
               [](const Doubles& x, double s, const Doubles& y) { return add_scaled(x, s, y); },
               [=](const Doubles& x, double s, const Doubles& y) {
                 return add_scaled_vjp(x, s, y, here);
               },
               random_tensor(a, 1, device), 0.7, random_tensor(b, 2, device));
         }
       }},
      {Op::select,
       [=](Saves saves, Device device) {
         for (const auto& [a, b] : {std::pair{Shape{3, 5}, Shape{3, 5}},
                                    {Shape{5}, Shape{3, 1}},
                                    {Shape{}, Shape{3, 5}}}) {
           const auto condition = greater(random_tensor({3, 5}, 3, device), 0.0);
           // The condition alone is kept; the row says so, and the operands must not be.
           ASSERT_EQ(saves, Saves::Condition);
           expect_gradient(
               Saves::Nothing,
               [=](const Doubles& x, const Doubles& y) { return select(condition, x, y); },
               [=](const Doubles& x, const Doubles& y) {
                 return select_vjp(condition, x, y, here);
               },
               random_tensor(a, 1, device), random_tensor(b, 2, device));
         }
       }},
      {Op::cast,
       [](Saves, Device device) {
         // Between one dtype there is nothing to convert: the derivative to f32 and back is
         // compared by hand in cast_test.
         expect_gradient(
             Saves::Inputs, [](const Doubles& x) { return cast<double>(x); },
             [](const Doubles& x) { return cast_vjp<double>(x); }, random_tensor({9}, 1, device));
       }},
  };
}

}  // namespace ddx::testing
