/// \file
/// How a minimisation computes with numbers and decides by them: at once, or recorded as operations
/// of a graph.

#pragma once

#include "ddx/ad/detail/inner.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/nn/detail/loss_value.h"
#include "ddx/nn/detail/parameter_arithmetic.h"
#include "ddx/nn/path.h"
#include "ddx/nn/runtime_number.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/cond.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"
#include "ddx/tensor/while_loop.h"

#include <concepts>
#include <utility>

namespace ddx::nn::detail {

/// Numbers are known: elements are observed. Loops and branches are those of C++.
struct ObservedFlow {
  static constexpr bool is_recorded = false;
  using Number = double;

  [[nodiscard]] Number stored(const RuntimeNumber& number) const { return number.value(); }

  /// The loss that a function returned.
  template <class Value>
  [[nodiscard]] RuntimeNumber loss(const Value& value) const {
    return loss_value(value);
  }

  /// The inner product of two parts of tangents.
  template <class Part>
  [[nodiscard]] RuntimeNumber inner(const Part& x, const Part& y) const {
    return is_empty(x) ? 0 : static_cast<double>(ddx::detail::inner(x, y));
  }

  /// `state = body(state)` while `condition(state)` is above zero.
  template <class State, class Condition, class Body>
  [[nodiscard]] State repeated(State state, const Condition& condition, const Body& body) const {
    while (condition(state).value() > 0) {
      state = body(state);
    }
    return state;
  }

  /// `then()` where the condition is above zero, else `otherwise()`.
  template <class Then, class Else>
  [[nodiscard]] auto branch(const RuntimeNumber& condition, const Then& then,
                            const Else& otherwise) const {
    return condition.value() > 0 ? then() : otherwise();
  }
};

/// The same, recorded for a device.
struct RecordedFlow {
  static constexpr bool is_recorded = true;
  using Number = Tensor<double>;

  Device device;

  [[nodiscard]] Number stored(const RuntimeNumber& number) const {
    return number.is_known() ? full(Shape(), number.value(), device) : number.computed<double>();
  }

  template <class Value>
  [[nodiscard]] RuntimeNumber loss(const Value& value) const {
    if constexpr (std::convertible_to<Value, double>) {
      return static_cast<double>(value);
    } else if (value.shape().count() != 1) {
      throw UsageError("lbfgs_minimum", "the function's value has shape " +
                                            to_string(value.shape()) +
                                            ", a tensor of one element is required");
    } else {
      return RuntimeNumber(value.shape().rank() == 0 ? value : reshape(value, Shape()));
    }
  }

  template <FloatingScalar Scalar>
  [[nodiscard]] RuntimeNumber inner(const Tensor<Scalar>& x, const Tensor<Scalar>& y) const {
    if (is_empty(x) || x.is_symbolic_zero() || y.is_symbolic_zero()) {
      return 0;
    }
    return RuntimeNumber(sum(x * y));
  }
  template <std::floating_point Part>
  [[nodiscard]] RuntimeNumber inner(Part x, Part y) const {
    return static_cast<double>(x * y);
  }

  template <class State, class Condition, class Body>
  [[nodiscard]] State repeated(const State& state, const Condition& condition,
                               const Body& body) const {
    return while_loop([&](const State& at) { return greater(stored(condition(at)), 0.0); }, body,
                      state);
  }

  template <class Then, class Else>
  [[nodiscard]] auto branch(const RuntimeNumber& condition, const Then& then,
                            const Else& otherwise) const {
    return cond(greater(stored(condition), 0.0), then, otherwise);
  }
};

/// The inner product of two tangents.
template <class Flow, class Tangent>
RuntimeNumber inner_product(const Flow& flow, const Tangent& a, const Tangent& b) {
  RuntimeNumber total = 0;
  visit_parameters(
      [&](const Path&, const auto& x, const auto& y) { total = total + flow.inner(x, y); }, a, b);
  return total;
}

}  // namespace ddx::nn::detail
