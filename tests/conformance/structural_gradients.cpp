#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/ops/op.h"
#include "ddx/tensor.h"

#include "tests/conformance/gradient_check.h"
#include "tests/conformance/gradients.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ddx::testing {
namespace {

using ops::Op;
using ops::Saves;

void check_slice(Saves saves, Device device) {
  for (const SliceOptions& options :
       {SliceOptions{}, SliceOptions{.start = {1, 2}},
        SliceOptions{.start = {0, -3}, .stop = {3, -1}},
        SliceOptions{.start = {1, 0}, .stop = {5, 9}, .step = {2, 3}}}) {
    expect_gradient(
        saves, [&](const Doubles& x) { return slice(x, options); },
        [&](const Doubles& x) { return slice_vjp(x, options, here); },
        random_tensor({5, 9}, 1, device));
  }
}

void check_concatenate(Saves saves, Device device) {
  for (const std::int64_t axis : {0, -1}) {
    std::vector<Doubles> parts;  // Not from a list in braces: its copies would share the storage.
    parts.push_back(random_tensor({2, 3}, 1, device));
    parts.push_back(random_tensor(axis == 0 ? Shape{1, 3} : Shape{2, 5}, 2, device));
    expect_gradient(
        saves, [&](const std::vector<Doubles>& x) { return concatenate(x, axis); },
        [&](const std::vector<Doubles>& x) { return concatenate_vjp(x, axis, here); }, parts);
  }
}

void check_gather(Saves saves, Device device) {
  const Tensor<std::int32_t> indices({2, 3}, {0, 4, 2, 2, 1, 4}, device);
  ASSERT_EQ(saves, Saves::Indices);  // And so not the operand.
  for (const std::int64_t axis : {0, 1, -1}) {
    const Shape shape = axis == 0 ? Shape{5, 2, 3} : axis == 1 ? Shape{2, 5, 3} : Shape{2, 3, 5};
    expect_gradient(
        Saves::Nothing, [&](const Doubles& x) { return gather(x, indices, axis); },
        [&](const Doubles& x) { return gather_vjp(x, indices, axis, here); },
        random_tensor(shape, 1, device));
  }
}

void check_take_along_axis(Saves saves, Device device) {
  const Tensor<std::int32_t> indices({2, 3}, {0, 2, 2, 1, 1, 1}, device);
  ASSERT_EQ(saves, Saves::Indices);  // And so not the operand.
  for (const std::int64_t axis : {0, -1}) {
    expect_gradient(
        Saves::Nothing, [&](const Doubles& x) { return take_along_axis(x, indices, axis); },
        [&](const Doubles& x) { return take_along_axis_vjp(x, indices, axis, here); },
        random_tensor(axis == 0 ? Shape{3, 3} : Shape{2, 5}, 1, device));
  }
}

void check_update_slice(Saves saves, Device device) {
  for (const Shape& update : {Shape{2, 2}, Shape{2}, Shape{2, 1}, Shape{}}) {
    const SliceOptions box{.start = {1, 0}, .stop = {3, 5}, .step = {1, 3}};
    expect_gradient(
        saves, [&](const Doubles& x, const Doubles& part) { return update_slice(x, part, box); },
        [&](const Doubles& x, const Doubles& part) { return update_slice_vjp(x, part, box, here); },
        random_tensor({4, 5}, 1, device), random_tensor(update, 2, device));
  }
}

void check_update_at(Saves saves, Device device) {
  for (const std::int64_t axis : {0, 1}) {
    const Tensor<std::int32_t> place = full<std::int32_t>({}, 2, device);
    expect_gradient(
        saves,
        [&](const Doubles& x, const Doubles& part) { return update_at(x, part, place, axis); },
        [&](const Doubles& x, const Doubles& part) {
          return update_at_vjp(x, part, place, axis, here);
        },
        random_tensor({4, 5}, 1, device),
        random_tensor(axis == 0 ? Shape{2, 5} : Shape{4, 3}, 2, device));
  }
}

/// A reduction on several choices of axes.
template <class ValueOf, class VjpOf>
GradientCheck reduction(ValueOf value_of, VjpOf vjp_of) {
  return [=](Saves saves, Device device) {
    for (const ReductionOptions& options :
         {ReductionOptions{}, ReductionOptions{.axes = {1}}, ReductionOptions{.axes = {0, -1}},
          ReductionOptions{.axes = {2}, .keep_dims = true}, ReductionOptions{.keep_dims = true}}) {
      expect_gradient(
          saves, [&](const Doubles& x) { return value_of(x, options, here); },
          [&](const Doubles& x) { return vjp_of(x, options, here); },
          random_tensor({2, 3, 4}, 1, device));
    }
  };
}

/// A cumulative operation along several axes, both ways, with and without the element itself.
template <class ValueOf, class VjpOf>
GradientCheck cumulative(ValueOf value_of, VjpOf vjp_of) {
  return [=](Saves saves, Device device) {
    for (const CumulativeOptions& options :
         {CumulativeOptions{}, CumulativeOptions{.axis = 0, .exclusive = true},
          CumulativeOptions{.axis = 1, .reverse = true},
          CumulativeOptions{.axis = 1, .exclusive = true, .reverse = true}}) {
      // An exclusive result that is minus infinity everywhere it begins is left out of the sums.
      const auto finite = [](const Doubles& y) { return maximum(y, Doubles(-1e3, y.device())); };
      expect_gradient(
          saves, [&](const Doubles& x) { return finite(value_of(x, options, here)); },
          [&](const Doubles& x) {
            auto [value, pullback] = vjp_of(x, options, here);
            return vjp(finite(value), pullback);
          },
          random_tensor({2, 3, 4}, 1, device));
    }
  };
}

void check_linear_recurrence(Saves saves, Device device) {
  for (const CumulativeOptions& options :
       {CumulativeOptions{}, CumulativeOptions{.axis = 0, .reverse = true}}) {
    expect_gradient(
        saves, [&](const Doubles& a, const Doubles& b) { return linear_recurrence(a, b, options); },
        [&](const Doubles& a, const Doubles& b) {
          return linear_recurrence_vjp(a, b, options, here);
        },
        random_tensor({3, 4}, 1, device), random_tensor({3, 4}, 2, device));
  }
}

}  // namespace

std::map<Op, GradientCheck> structural_gradients() {
  return {
      {Op::full,
       [](Saves saves, Device device) {
         expect_gradient(
             saves, [&](double value) { return full({2, 3}, value, device); },
             [&](double value) { return full_vjp<double>({2, 3}, value, device); }, 1.5);
       }},
      {Op::reshape,
       [](Saves saves, Device device) {
         expect_gradient(
             saves, [](const Doubles& x) { return reshape(x, {4, -1}); },
             [](const Doubles& x) { return reshape_vjp(x, {4, -1}, here); },
             random_tensor({2, 6}, 1, device));
       }},
      {Op::broadcast_to,
       [](Saves saves, Device device) {
         for (const Shape& from : {Shape{}, Shape{4}, Shape{3, 1}, Shape{2, 1, 4}}) {
           expect_gradient(
               saves, [](const Doubles& x) { return broadcast_to(x, {2, 3, 4}); },
               [](const Doubles& x) { return broadcast_to_vjp(x, {2, 3, 4}, here); },
               random_tensor(from, 1, device));
           expect_gradient(
               saves, [&](const Doubles& x) { return sum_to(x, from); },
               [&](const Doubles& x) { return sum_to_vjp(x, from, here); },
               random_tensor({2, 3, 4}, 1, device));
         }
       }},
      {Op::transpose,
       [](Saves saves, Device device) {
         for (const Indices& order :
              {Indices{}, Indices{0, 1, 2}, Indices{2, 0, 1}, Indices{-2, -1, 0}}) {
           expect_gradient(
               saves, [&](const Doubles& x) { return transpose(x, order); },
               [&](const Doubles& x) { return transpose_vjp(x, order, here); },
               random_tensor({2, 3, 4}, 1, device));
         }
       }},
      {Op::slice, check_slice},
      {Op::pad,
       [](Saves saves, Device device) {
         expect_gradient(
             saves, [](const Doubles& x, double value) { return pad(x, {1, 0}, {2, 3}, value); },
             [](const Doubles& x, double value) { return pad_vjp(x, {1, 0}, {2, 3}, value, here); },
             random_tensor({3, 4}, 1, device), 0.5);
       }},
      {Op::concatenate, check_concatenate},
      {Op::gather, check_gather},
      {Op::take_along_axis, check_take_along_axis},
      {Op::update_slice, check_update_slice},
      {Op::update_at, check_update_at},
      {Op::reverse,
       [](Saves saves, Device device) {
         for (const Indices& axes : {Indices{}, Indices{1}, Indices{0, -1}}) {
           expect_gradient(
               saves, [&](const Doubles& x) { return reverse(x, axes); },
               [&](const Doubles& x) { return reverse_vjp(x, axes, here); },
               random_tensor({2, 3, 4}, 1, device));
         }
       }},
      {Op::sum, reduction(sum<double>, sum_vjp<double>)},
      {Op::mean, reduction(mean<double>, mean_vjp<double>)},
      {Op::max, reduction(max<double>, max_vjp<double>)},
      {Op::min, reduction(min<double>, min_vjp<double>)},
      {Op::product, reduction(product<double>, product_vjp<double>)},
      {Op::log_sum_exp, reduction(log_sum_exp<double>, log_sum_exp_vjp<double>)},
      {Op::cumulative_sum, cumulative(cumulative_sum<double>, cumulative_sum_vjp<double>)},
      {Op::cumulative_product,
       cumulative(cumulative_product<double>, cumulative_product_vjp<double>)},
      {Op::cumulative_max, cumulative(cumulative_max<double>, cumulative_max_vjp<double>)},
      {Op::cumulative_log_sum_exp,
       cumulative(cumulative_log_sum_exp<double>, cumulative_log_sum_exp_vjp<double>)},
      {Op::linear_recurrence, check_linear_recurrence},
  };
}

}  // namespace ddx::testing
