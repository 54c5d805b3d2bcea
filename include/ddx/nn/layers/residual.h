/// \file
/// A layer with a way past it.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/nn/detail/apply.h"
#include "ddx/nn/layers/identity.h"

#include <source_location>
#include <utility>

namespace ddx::nn {

/// layer(x) + shortcut(x); the shortcut is the identity unless one is given.
///
/// Source:  K. He, X. Zhang, S. Ren, J. Sun, "Deep residual learning for image recognition", CVPR
///          2016.
/// Example:
///   Residual block{Sequential{first, second}};
template <class Layer, class Shortcut = Identity>
struct Residual {
  Layer layer;
  Shortcut shortcut;

  explicit Residual(Layer given, Shortcut past = {})
      : layer(std::move(given)), shortcut(std::move(past)) {}

  /// Shapes:  x [...] -> that of the layer, which is the shortcut's
  /// Throws:  UsageError where the layer or the shortcut does not take x, or their results do not
  ///          fit.
  template <class Input>
  [[nodiscard]] auto operator()(
      const Input& x, std::source_location where = std::source_location::current()) const {
    return detail::apply(layer, x, where) + detail::apply(shortcut, x, where);
  }

  /// The same, with each layer called by `call(name, layer, input)`; for summary.
  template <class Call, class Input>
  [[nodiscard]] auto trace_calls(const Call& call, const Input& x) const {
    return call("layer", layer, x) + call("shortcut", shortcut, x);
  }

  DDX_DIFFERENTIABLE(Residual, layer, shortcut)
};

/// The layer past which the input goes as it is.
template <class Layer>
Residual(Layer) -> Residual<Layer>;
/// The layer and the shortcut as given.
template <class Layer, class Shortcut>
Residual(Layer, Shortcut) -> Residual<Layer, Shortcut>;

}  // namespace ddx::nn
