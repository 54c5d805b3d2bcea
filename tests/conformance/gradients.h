/// \file
/// The derivatives that the functions of ddx/tensor register, by the operation they belong to.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/ops/op.h"

#include <functional>
#include <map>
#include <vector>

namespace ddx::testing {

/// Why an operation has no derivative; null where it must have one.
inline const char* reason_for_none(const ops::OpInfo& op) {
  if (!contains(op.dtypes, DType::f64)) {
    return "it is not for floating numbers";
  }
  if (op.name.ends_with("_gradient")) {
    return "it is a part of a derivative";
  }
  switch (op.family) {
    case ops::Family::Random:
      return "its numbers depend on a key alone";
    case ops::Family::Comparison:
    case ops::Family::Predicate:
    case ops::Family::ArgReduction:
    case ops::Family::Sorting:
      return "its result is not floating";
    case ops::Family::Creation:
      return op.op == ops::Op::iota ? "it has no operand" : nullptr;
    case ops::Family::Fourier:
      return "its result is complex: compiled/complex_gradients_test.cpp";
    case ops::Family::Indexing:
      return op.op == ops::Op::one_hot ? "its operand is an integer" : nullptr;
    default:
      return nullptr;
  }
}

/// The rows of the table with a derivative.
[[nodiscard]] inline std::vector<ops::OpInfo> differentiable_operations() {
  std::vector<ops::OpInfo> rows;
  for (const auto& op : ops::op_table) {
    if (reason_for_none(op) == nullptr) {
      rows.push_back(op);
    }
  }
  return rows;
}

/// Checks the derivative of one operation on a device; is given what the row says it saves.
using GradientCheck = std::function<void(ops::Saves, Device)>;

/// The checks of the operations with a derivative.
[[nodiscard]] std::map<ops::Op, GradientCheck> elementwise_gradients();
[[nodiscard]] std::map<ops::Op, GradientCheck> cotangent_gradients();
[[nodiscard]] std::map<ops::Op, GradientCheck> structural_gradients();
[[nodiscard]] std::map<ops::Op, GradientCheck> layer_gradients();
[[nodiscard]] std::map<ops::Op, GradientCheck> linear_algebra_gradients();

/// All of them.
[[nodiscard]] inline const std::map<ops::Op, GradientCheck>& all_gradients() {
  static const auto all = [] {
    std::map<ops::Op, GradientCheck> joined = elementwise_gradients();
    joined.merge(cotangent_gradients());
    joined.merge(structural_gradients());
    joined.merge(layer_gradients());
    joined.merge(linear_algebra_gradients());
    return joined;
  }();
  return all;
}

}  // namespace ddx::testing
