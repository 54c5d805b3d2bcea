#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/ops/op.h"
#include "ddx/tensor.h"

#include "tests/conformance/gradient_check.h"
#include "tests/conformance/gradients.h"

#include <cstdint>
#include <functional>
#include <map>
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

/// As above, for a function that takes the location of its call.
template <class ValueOf, class VjpOf>
GradientCheck placed_binary(Op op, ValueOf value_of, VjpOf vjp_of) {
  return binary(
      op, [=](const Doubles& a, const Doubles& b) { return value_of(a, b, here); },
      [=](const Doubles& a, const Doubles& b) { return vjp_of(a, b, here); });
}

/// The derivatives of an operator of two tensors, of a tensor with a number, and of a number with a
/// tensor.
template <class Tensors, class NumberRight, class NumberLeft>
struct Derivatives {
  Tensors tensors;
  NumberRight number_right;
  NumberLeft number_left;
};

/// As binary(), and with a bare number on either side.
template <class ValueOf, class VjpsOf>
GradientCheck arithmetic(Op op, ValueOf value_of, VjpsOf vjps_of) {
  const GradientCheck tensors = binary(op, value_of, vjps_of.tensors);
  return [=](Saves saves, Device device) {
    tensors(saves, device);
    const Saves with_number = saves == Saves::Nothing ? saves : Saves::Inputs;
    const Doubles x = random_tensor({7}, 1, device, ops::info(op).domain);
    expect_gradient(with_number, value_of, vjps_of.number_right, x, 1.5);
    expect_gradient(with_number, value_of, vjps_of.number_left, 1.5, x);
  };
}

}  // namespace

std::map<Op, GradientCheck> cotangent_gradients() {
  return {
      {Op::cotangent_product, binary(Op::cotangent_product, detail::cotangent_product<double>,
                                     detail::cotangent_product_vjp<double>)},
      {Op::cotangent_quotient, binary(Op::cotangent_quotient, detail::cotangent_quotient<double>,
                                      detail::cotangent_quotient_vjp<double>)},
  };
}

std::map<Op, GradientCheck> elementwise_gradients() {
  return {
      {Op::neg, unary(Op::neg, std::negate<>(), neg_vjp<double>)},
      {Op::abs, unary(Op::abs, abs<double>, abs_vjp<double>)},
      {Op::sign, unary(Op::sign, sign<double>, sign_vjp<double>)},
      {Op::square, unary(Op::square, square<double>, square_vjp<double>)},
      {Op::relu, unary(Op::relu, relu<double>, relu_vjp<double>)},
      {Op::reciprocal, unary(Op::reciprocal, reciprocal<double>, reciprocal_vjp<double>)},
      {Op::exp, unary(Op::exp, exp<double>, exp_vjp<double>)},
      {Op::expm1, unary(Op::expm1, expm1<double>, expm1_vjp<double>)},
      {Op::log, unary(Op::log, log<double>, log_vjp<double>)},
      {Op::log1p, unary(Op::log1p, log1p<double>, log1p_vjp<double>)},
      {Op::sqrt, unary(Op::sqrt, sqrt<double>, sqrt_vjp<double>)},
      {Op::rsqrt, unary(Op::rsqrt, rsqrt<double>, rsqrt_vjp<double>)},
      {Op::sin, unary(Op::sin, sin<double>, sin_vjp<double>)},
      {Op::cos, unary(Op::cos, cos<double>, cos_vjp<double>)},
      {Op::tanh, unary(Op::tanh, tanh<double>, tanh_vjp<double>)},
      {Op::sigmoid, unary(Op::sigmoid, sigmoid<double>, sigmoid_vjp<double>)},
      {Op::floor, unary(Op::floor, floor<double>, floor_vjp<double>)},
      {Op::ceil, unary(Op::ceil, ceil<double>, ceil_vjp<double>)},
      {Op::round, unary(Op::round, round<double>, round_vjp<double>)},
      {Op::exp2, unary(Op::exp2, exp2<double>, exp2_vjp<double>)},
      {Op::log2, unary(Op::log2, log2<double>, log2_vjp<double>)},
      {Op::log10, unary(Op::log10, log10<double>, log10_vjp<double>)},
      {Op::tan, unary(Op::tan, tan<double>, tan_vjp<double>)},
      {Op::asin, unary(Op::asin, asin<double>, asin_vjp<double>)},
      {Op::acos, unary(Op::acos, acos<double>, acos_vjp<double>)},
      {Op::atan, unary(Op::atan, atan<double>, atan_vjp<double>)},
      {Op::sinh, unary(Op::sinh, sinh<double>, sinh_vjp<double>)},
      {Op::cosh, unary(Op::cosh, cosh<double>, cosh_vjp<double>)},
      {Op::asinh, unary(Op::asinh, asinh<double>, asinh_vjp<double>)},
      {Op::acosh, unary(Op::acosh, acosh<double>, acosh_vjp<double>)},
      {Op::atanh, unary(Op::atanh, atanh<double>, atanh_vjp<double>)},
      {Op::erf, unary(Op::erf, erf<double>, erf_vjp<double>)},
      {Op::erfc, unary(Op::erfc, erfc<double>, erfc_vjp<double>)},
      {Op::gelu, unary(Op::gelu, gelu<double>, gelu_vjp<double>)},
      {Op::gelu_tanh, unary(Op::gelu_tanh, gelu_tanh<double>, gelu_tanh_vjp<double>)},
      {Op::silu, unary(Op::silu, silu<double>, silu_vjp<double>)},
      {Op::lgamma, unary(Op::lgamma, lgamma<double>, lgamma_vjp<double>)},
      {Op::digamma, unary(Op::digamma, digamma<double>, digamma_vjp<double>)},
      {Op::add,
       arithmetic(Op::add, std::plus<>(),
                  Derivatives{add_vjp<double>, add_number_vjp<double>, number_add_vjp<double>})},
      {Op::sub,
       arithmetic(Op::sub, std::minus<>(),
                  Derivatives{sub_vjp<double>, sub_number_vjp<double>, number_sub_vjp<double>})},
      {Op::mul,
       arithmetic(Op::mul, std::multiplies<>(),
                  Derivatives{mul_vjp<double>, mul_number_vjp<double>, number_mul_vjp<double>})},
      {Op::div,
       arithmetic(Op::div, std::divides<>(),
                  Derivatives{div_vjp<double>, div_number_vjp<double>, number_div_vjp<double>})},
      {Op::pow, placed_binary(
                    Op::pow, [](const auto&... x) { return pow(x...); }, pow_vjp<double>)},
      {Op::maximum,
       placed_binary(
           Op::maximum, [](const auto&... x) { return maximum(x...); }, maximum_vjp<double>)},
      {Op::minimum,
       placed_binary(
           Op::minimum, [](const auto&... x) { return minimum(x...); }, minimum_vjp<double>)},
      {Op::squared_difference,
       placed_binary(
           Op::squared_difference, [](const auto&... x) { return squared_difference(x...); },
           squared_difference_vjp<double>)},
      {Op::remainder,
       placed_binary(
           Op::remainder, [](const auto&... x) { return remainder(x...); }, remainder_vjp<double>)},
      {Op::floor_divide, placed_binary(
                             Op::floor_divide, [](const auto&... x) { return floor_divide(x...); },
                             floor_divide_vjp<double>)},
      {Op::fmod, placed_binary(
                     Op::fmod, [](const auto&... x) { return fmod(x...); }, fmod_vjp<double>)},
      {Op::atan2, placed_binary(Op::atan2, atan2<double>, atan2_vjp<double>)},
      {Op::hypot, placed_binary(Op::hypot, hypot<double>, hypot_vjp<double>)},
      {Op::polygamma,
       [](Saves saves, Device device) {
         for (const std::int64_t order : {0, 1, 2, 5}) {
           expect_gradient(
               saves, [&](const Doubles& x) { return polygamma(order, x); },
               [&](const Doubles& x) { return polygamma_vjp(order, x, here); },
               random_tensor({9}, 1, device, ops::Domain::AboveOne));
         }
       }},
      {Op::add_scaled,
       [](Saves saves, Device device) {
         for (const auto& [a, b] :
              {std::pair{Shape{17}, Shape{17}}, {Shape{3, 5}, Shape{5}}, {Shape{5}, Shape{3, 5}}}) {
           expect_gradient(
               saves,
               [](const Doubles& x, double s, const Doubles& y) { return add_scaled(x, s, y); },
               [](const Doubles& x, double s, const Doubles& y) {
                 return add_scaled_vjp(x, s, y, here);
               },
               random_tensor(a, 1, device), 0.7, random_tensor(b, 2, device));
         }
       }},
      {Op::select,
       [](Saves saves, Device device) {
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
