/// \file
/// Stochastic gradient descent.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/shape.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/detail/parameter_arithmetic.h"
#include "ddx/nn/detail/runtime_arithmetic.h"
#include "ddx/nn/optimizers/first_order_optimizer.h"
#include "ddx/nn/runtime_number.h"
#include "ddx/nn/scheduled_number.h"

#include <array>
#include <cstddef>
#include <string_view>

namespace ddx::nn {

/// The settings of SGD.
struct SGDOptions {
  ScheduledNumber learning_rate = 0.01;
  double momentum = 0;      ///< How much of the last step's velocity stays.
  double dampening = 0;     ///< Which part of the gradient is kept out of the velocity.
  bool nesterov = false;    ///< Whether to step along the gradient seen from ahead.
  double weight_decay = 0;  ///< Times the parameter, added to its gradient.

  friend bool operator==(const SGDOptions&, const SGDOptions&) = default;

  DDX_NO_DERIVATIVE(learning_rate, momentum, dampening, nesterov, weight_decay)
};

namespace detail {

/// The step of SGD.
class SGDRule : public UpdateRule {
 public:
  using Options = SGDOptions;
  static constexpr const char* name = "SGD";
  static constexpr std::array<std::string_view, 1> state_names{"velocity"};

  static void check(const Options& options) {
    require_not_negative(name, "learning_rate", options.learning_rate);
    require_not_negative(name, "momentum", options.momentum);
    require_not_negative(name, "weight_decay", options.weight_decay);
    require_not_negative(name, "dampening", options.dampening);
  }

  static Shape state_shape(const Options& options, std::size_t /*state*/, const Shape& parameter) {
    return options.momentum == 0 ? Shape() : parameter;
  }

  SGDRule(const Options& options, const RuntimeNumber& step)
      : options_(options),
        length_(-options.learning_rate.number()),
        share_(options.dampening == 0 ? 1 : choose_positive(step - 1, 1 - options.dampening, 1)) {}

  template <class Parameter>
  void step(Parameter& weight, const Parameter& gradient, Parameter& velocity) const {
    const Parameter g = with_decay(gradient, options_.weight_decay, weight);
    if (options_.momentum == 0) {
      weight = plus_scaled(given_away(weight), length_, g);
      return;
    }
    velocity = options_.dampening == 0
                   ? plus_scaled(g, options_.momentum, velocity)
                   : plus_scaled(scaled(g, share_), options_.momentum, velocity);
    weight =
        plus_scaled(given_away(weight), length_,
                    options_.nesterov ? plus_scaled(g, options_.momentum, velocity) : velocity);
  }

 private:
  Options options_;
  RuntimeNumber length_;  // Of this step, with its sign.
  RuntimeNumber share_;   // Of the gradient, in the velocity.
};

}  // namespace detail

/// Gradient descent with momentum, for all parameters of a model. With gradient g, weight decay d,
/// momentum m, dampening p and learning rate r, each step takes
///
///   g <- g + d w,  v <- m v + (1 - p) g,  w <- w - r v,
///
/// or, after Nesterov, w <- w - r (g + m v).
/// The first step does not dampen.
///
/// Source:  I. Sutskever, J. Martens, G. Dahl, G. Hinton, "On the importance of initialization and
///          momentum in deep learning", ICML 2013; dampening as in PyTorch's SGD.
/// Example:
///   SGD optimizer(model, {.learning_rate = 0.1});
///   optimizer.update(model, gradient);
template <class Model>
class SGD : public FirstOrderOptimizer<Model, detail::SGDRule> {
 public:
  explicit SGD(const Model& model, const SGDOptions& given = {})
      : FirstOrderOptimizer<Model, detail::SGDRule>(model, given) {}
};

}  // namespace ddx::nn
