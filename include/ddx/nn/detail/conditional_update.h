/// \file
/// Steps of optimisers that are left out where elements say so, which need not have been observed.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/nn/path.h"
#include "ddx/nn/runtime_number.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/detail/staged_values.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <concepts>

namespace ddx::nn::detail {

/// 0 where the number is finite, else NaN.
[[nodiscard]] inline RuntimeNumber excess_of(const RuntimeNumber& number) {
  return number - number;
}

/// 0 where no element is infinite or NaN, else NaN.
template <class Gradient>
RuntimeNumber excess_of(const Gradient& gradient) {
  RuntimeNumber excess = 0;
  const auto add = [&]<class Part>(const Path&, const Part& part) {
    if constexpr (std::floating_point<Part>) {
      excess = excess + excess_of(RuntimeNumber(static_cast<double>(part)));
    } else if (part.count() > 0) {
      excess = excess + excess_of(RuntimeNumber(max(abs(part))));
    }
  };
  visit_parameters(add, gradient);
  return excess;
}

/// `optimizer.update(model, gradient)` where `condition` is 0; else both stay as they are. Where it
/// is not known, the step is computed, and then each tensor is chosen.
///
/// Throws:  as `optimizer.update`.
template <class Optimizer, class Model, class Gradient>
void update_if_zero(const RuntimeNumber& condition, Optimizer& optimizer, Model& model,
                    const Gradient& gradient) {
  if (condition.is_known()) {
    if (condition.value() == 0) {
      optimizer.update(model, gradient);
    }
    return;
  }
  const Optimizer optimizer_before = optimizer;
  const Model model_before = model;
  optimizer.update(model, gradient);
  const Tensor<bool> kept = equal(condition.computed<double>(), 0.0);
  auto choose = [&]<class Part>(Part& after, const Part& before) {
    if constexpr (std::floating_point<Part>) {
      after = condition.value() == 0 ? after : before;
    } else if (!after.array().shares_storage_with(before.array()) &&
               !(after.is_symbolic_zero() && before.is_symbolic_zero())) {
      after = select(kept, after.to(kept.device()), before.to(kept.device()));
    }
  };
  auto any = [](const auto&...) { return true; };
  ddx::detail::visit_staged(choose, any, optimizer, optimizer_before);
  visit_parameters([&](const Path&, auto& after, const auto& before) { choose(after, before); },
                   model, model_before);
}

}  // namespace ddx::nn::detail
