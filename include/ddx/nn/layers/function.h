/// \file
/// A function as a layer.

#pragma once

#include "ddx/ad/differentiable.h"

#include <utility>

namespace ddx::nn {

/// Applies a function, such as a lambda, where a layer is expected. What the function captures is
/// constant: it is neither trained nor saved.
///
/// Example:
///   Sequential model{Dense<float>({.in = 4, .out = 2}),
///                    Function([](const Tensor<float>& x) { return softmax(x); })};
template <class F>
struct Function {
  F function;

  explicit Function(F called) : function(std::move(called)) {}

  /// function(input).
  template <class Input>
  [[nodiscard]] auto operator()(const Input& input) const {
    return function(input);
  }

  DDX_DIFFERENTIABLE(Function)
  DDX_NO_DERIVATIVE(function)
};

}  // namespace ddx::nn
