/// \file
/// Layers that are not trained.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/nn/detail/apply.h"
#include "ddx/nn/path.h"
#include "ddx/nn/visit.h"

#include <source_location>
#include <string>
#include <utility>

namespace ddx::nn {

/// A layer whose parameters are constants: they get no gradient, optimisers neither move nor decay
/// them nor keep moments for them, and no work is done for their derivatives. The gradient by the
/// input flows through the layer. It stays in inference in training steps, so that running averages
/// stay and dropout rests, and `initialize` passes it by; its values are saved, loaded and moved
/// with the model, as state.
///
/// What is frozen is part of the model's class. To let parameters rest for a while only, set the
/// learning rate of a parameter group of the optimiser to 0.
///
/// Example:
///   Sequential model{Frozen{pretrained}, Dense<float>({.in = 512, .out = 10})};
template <class Layer>
struct Frozen {
  Layer layer;

  explicit Frozen(Layer fixed) : layer(std::move(fixed)) {}

  /// layer(x).
  template <class Input>
  [[nodiscard]] auto operator()(
      const Input& x, std::source_location where = std::source_location::current()) const {
    return detail::apply(layer, x, where);
  }

  /// Names all that a checkpoint of the layer holds.
  template <class Visitor>
  void visit_state(Visitor&& visitor) {
    nn::visit_state(
        [&](const Path& path, auto& value) { visitor("layer." + to_string(path), value); }, layer);
  }

  /// Names all that a checkpoint of the layer holds.
  template <class Visitor>
  void visit_state(Visitor&& visitor) const {
    nn::visit_state(
        [&](const Path& path, const auto& value) { visitor("layer." + to_string(path), value); },
        layer);
  }

  DDX_DIFFERENTIABLE(Frozen)
  DDX_NO_DERIVATIVE(layer)
};

}  // namespace ddx::nn
