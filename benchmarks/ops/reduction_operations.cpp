// Reductions, extremes and sorting along axes.

#include "ddx/core/shape.h"
#include "ddx/tensor.h"

#include "operand.h"
#include "operation.h"

#include <string>
#include <vector>

namespace ddx::bench {
namespace {

const Shape sizes[] = {{16, 16}, {256, 256}, {2048, 1024}};

/// f(x, options) over everything, over rows (the last axis) and over columns.
template <class F>
void add_reduction(std::vector<Operation>& all, const std::string& name, const Operand& like, F f) {
  for (const Shape& size : sizes) {
    Operand x = like;
    x.shape = size;
    const auto add = [&](const std::string& which, const Indices& axes) {
      all.push_back(moving(name + which, {x}, 1, [f, axes](Operands& o) {
        return f(o[0], ReductionOptions{.axes = axes});
      }));
    };
    add("", {});
    add("_rows", {-1});
    add("_columns", {0});
  }
}

/// f(x, axis) along rows and along columns, with a result of `share` of the operand's elements.
template <class F>
void add_along(std::vector<Operation>& all, const std::string& name, double share, F f) {
  for (const Shape& size : sizes) {
    const double written = share * static_cast<double>(size.count());
    all.push_back(moving(name + "_rows", {signed_numbers(size)}, written,
                         [f](Operands& o) { return f(o[0], -1); }));
    all.push_back(moving(name + "_columns", {signed_numbers(size)}, written,
                         [f](Operands& o) { return f(o[0], 0); }));
  }
}

using Floats = Tensor<float>;

void add_folds(std::vector<Operation>& all) {
  using Options = const ReductionOptions&;
  const Operand any = signed_numbers({});
  const Operand near_one{{}, 0.99, 1.01, false};
  add_reduction(all, "sum", any, [](const Floats& x, Options o) { return sum(x, o); });
  add_reduction(all, "mean", any, [](const Floats& x, Options o) { return mean(x, o); });
  add_reduction(all, "max", any, [](const Floats& x, Options o) { return max(x, o); });
  add_reduction(all, "product", near_one, [](const Floats& x, Options o) { return product(x, o); });
  add_reduction(all, "log_sum_exp", any,
                [](const Floats& x, Options o) { return log_sum_exp(x, o); });
  for (const Shape& size : sizes) {
    const auto ask = [&](const std::string& name, auto f) {
      // The result depends on every element up to the last.
      all.push_back(moving(name, {Operand{size}}, 1, f));
    };
    ask("all", [positive = Tensor<bool>()](Operands& o) mutable {
      if (positive.shape().rank() == 0) {
        positive = greater(o[0], 0.0F);
      }
      return ddx::all(positive);
    });
    ask("any_rows", [negative = Tensor<bool>()](Operands& o) mutable {
      if (negative.shape().rank() == 0) {
        negative = less(o[0], 0.0F);
      }
      return ddx::any(negative, {.axes = {-1}});
    });
  }
}

}  // namespace

void add_reductions(std::vector<Operation>& all) {
  add_folds(all);
  add_along(all, "argmax", 0, [](const Floats& x, int axis) { return argmax(x, axis); });
  add_along(all, "argmin", 0, [](const Floats& x, int axis) { return argmin(x, axis); });
  add_along(all, "cumulative_sum", 1,
            [](const Floats& x, int axis) { return cumulative_sum(x, {.axis = axis}); });
  add_along(all, "cumulative_product", 1,
            [](const Floats& x, int axis) { return cumulative_product(x, {.axis = axis}); });
  add_along(all, "cumulative_max", 1,
            [](const Floats& x, int axis) { return cumulative_max(x, {.axis = axis}); });
  add_along(all, "sort", 1, [](const Floats& x, int axis) { return sort(x, {.axis = axis}); });
  add_along(all, "argsort", 1,
            [](const Floats& x, int axis) { return argsort(x, {.axis = axis}); });
  add_along(all, "softmax", 1, [](const Floats& x, int axis) { return softmax(x, axis); });
  add_along(all, "log_softmax", 1, [](const Floats& x, int axis) { return log_softmax(x, axis); });
}

}  // namespace ddx::bench
