/// \file
/// RMSProp.

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
#include <utility>

namespace ddx::nn {

/// The settings of RMSProp.
struct RMSPropOptions {
  ScheduledNumber learning_rate = 1e-3;
  double rho = 0.9;         ///< How much of the mean squared gradient stays.
  double epsilon = 1e-8;    ///< Added to the root.
  double momentum = 0;      ///< How much of the last step's velocity stays.
  bool centered = false;    ///< Whether to divide by the deviation of the gradient, not its size.
  double weight_decay = 0;  ///< Times the parameter, added to its gradient.

  friend bool operator==(const RMSPropOptions&, const RMSPropOptions&) = default;

  DDX_NO_DERIVATIVE(learning_rate, rho, epsilon, momentum, centered, weight_decay)
};

namespace detail {

/// The step of RMSProp.
class RMSPropRule : public UpdateRule {
 public:
  using Options = RMSPropOptions;
  static constexpr const char* name = "RMSProp";
  static constexpr std::array<std::string_view, 3> state_names{"square", "mean", "velocity"};

  static void check(const Options& options) {
    require_not_negative(name, "learning_rate", options.learning_rate);
    require_not_negative(name, "epsilon", options.epsilon);
    require_not_negative(name, "momentum", options.momentum);
    require_not_negative(name, "weight_decay", options.weight_decay);
    require_fraction(name, "rho", options.rho);
  }

  static Shape state_shape(const Options& options, std::size_t state, const Shape& parameter) {
    const bool used = state == 0 || (state == 1 ? options.centered : options.momentum != 0);
    return used ? parameter : Shape();
  }

  RMSPropRule(const Options& options, const RuntimeNumber& /*step*/)
      : options_(options), length_(-options.learning_rate.number()) {}

  template <class Parameter>
  void step(Parameter& weight, const Parameter& gradient, Parameter& square, Parameter& mean,
            Parameter& velocity) const {
    const Parameter g = with_decay(gradient, options_.weight_decay, weight);
    square = moved_average(square, options_.rho, squared(g));
    Parameter variance = square;
    if (options_.centered) {
      mean = moved_average(mean, options_.rho, g);
      // Rounding may leave less than nothing, which has no root.
      variance = not_negative(plus_scaled(given_away(variance), -1, squared(mean)));
    }
    Parameter change = over_root(g, variance, options_.epsilon);
    if (options_.momentum != 0) {
      velocity = plus_scaled(std::move(change), options_.momentum, velocity);
      change = velocity;
    }
    weight = plus_scaled(given_away(weight), length_, change);
  }

 private:
  Options options_;
  RuntimeNumber length_;  // Of this step, with its sign.
};

}  // namespace detail

/// Steps divided by the recent size of each gradient. With gradient g and learning rate r:
///
///   g <- g + d w,  s <- p s + (1 - p) g^2,  v <- m v + g / (sqrt(s) + e),  w <- w - r v;
///
/// centred, with u <- p u + (1 - p) g and s - u^2 under the root.
///
/// Source:  T. Tieleman, G. Hinton, "Lecture 6.5: RMSProp", Coursera, 2012; centred after A.
///          Graves, "Generating sequences with recurrent neural networks", arXiv 1308.0850, 2013.
/// Example:
///   RMSProp optimizer(model, {.learning_rate = 1e-3});
///   optimizer.update(model, gradient);
template <class Model>
class RMSProp : public FirstOrderOptimizer<Model, detail::RMSPropRule> {
 public:
  explicit RMSProp(const Model& model, const RMSPropOptions& given = {})
      : FirstOrderOptimizer<Model, detail::RMSPropRule>(model, given) {}
};

}  // namespace ddx::nn
