/// \file
/// Stochastic gradient descent.

#pragma once

#include "ddx/ad/tangent.h"
#include "ddx/nn/detail/parameter_arithmetic.h"
#include "ddx/nn/path.h"
#include "ddx/nn/visit.h"

#include <utility>

namespace ddx::nn {

/// The settings of SGD.
struct SGDOptions {
  double learning_rate = 0.01;
  double momentum = 0;      ///< How much of the last step's velocity stays.
  bool nesterov = false;    ///< Whether to step along the gradient seen from ahead.
  double weight_decay = 0;  ///< Times the parameter, added to its gradient.

  friend bool operator==(const SGDOptions&, const SGDOptions&) = default;
};

/// Gradient descent with momentum, for all parameters of a model. With gradient g, weight decay d,
/// momentum m and learning rate r, each step takes
///
///   g <- g + d w,  v <- m v + g,  w <- w - r v,  or, after Nesterov,  w <- w - r (g + m v).
///
/// Source:  I. Sutskever, J. Martens, G. Dahl, G. Hinton, "On the importance of initialization and
///          momentum in deep learning", ICML 2013.
/// Example:
///   SGD optimizer(model, {.learning_rate = 0.1f});
///   optimizer.update(model, gradient);
template <class Model>
class SGD {
 public:
  using Tangent = TangentOf<Model>;

  explicit SGD(const Model& model, const SGDOptions& given = {})
      : options(given), velocity_(detail::zeros_shaped_like(model)) {}

  /// Takes one step.
  ///
  /// Throws:  UsageError where a gradient has another shape than its parameter; names both. Nothing
  ///          is changed then.
  void update(Model& model, const Tangent& gradient) {
    visit_parameters([](const Path& path, const auto& weight,
                        const auto& slope) { detail::check_gradient("SGD", path, weight, slope); },
                     std::as_const(model), gradient);
    visit_parameters([&](const Path&, auto& weight, const auto& slope,
                         auto& velocity) { step(weight, slope, velocity); },
                     model, gradient, velocity_);
  }

  /// Names the velocity of each parameter, for checkpoints.
  template <class Visitor>
  void visit_state(Visitor&& visitor) {
    const Path root;
    detail::ParameterVisitor<Visitor> each{visitor};
    detail::walk(Path(root, "velocity"), each, velocity_);
  }

  SGDOptions options;  ///< May be changed between steps.

 private:
  template <class Parameter>
  void step(Parameter& weight, const Parameter& slope, Parameter& velocity) const {
    const Parameter g = options.weight_decay == 0
                            ? slope
                            : detail::plus_scaled(slope, options.weight_decay, weight);
    if (options.momentum == 0) {
      weight = detail::plus_scaled(std::move(weight), -options.learning_rate, g);
      return;
    }
    velocity = detail::plus_scaled(g, options.momentum, velocity);
    weight = detail::plus_scaled(
        std::move(weight), -options.learning_rate,
        options.nesterov ? detail::plus_scaled(g, options.momentum, velocity) : velocity);
  }

  Tangent velocity_;
};

}  // namespace ddx::nn
