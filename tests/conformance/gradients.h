/// \file
/// The derivatives that the functions of ddx/tensor register, by the operation they belong to.

#pragma once

#include "ddx/core/device.h"
#include "ddx/ops/op.h"

#include <functional>
#include <map>

namespace ddx::testing {

/// Checks the derivative of one operation on a device; is given what the row says it saves.
using GradientCheck = std::function<void(ops::Saves, Device)>;

/// The checks of the operations with a derivative.
[[nodiscard]] std::map<ops::Op, GradientCheck> elementwise_gradients();
[[nodiscard]] std::map<ops::Op, GradientCheck> structural_gradients();
[[nodiscard]] std::map<ops::Op, GradientCheck> layer_gradients();
[[nodiscard]] std::map<ops::Op, GradientCheck> linear_algebra_gradients();

/// All of them.
[[nodiscard]] inline const std::map<ops::Op, GradientCheck>& all_gradients() {
  static const auto all = [] {
    std::map<ops::Op, GradientCheck> joined = elementwise_gradients();
    joined.merge(structural_gradients());
    joined.merge(layer_gradients());
    joined.merge(linear_algebra_gradients());
    return joined;
  }();
  return all;
}

}  // namespace ddx::testing
