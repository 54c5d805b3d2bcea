/// \file
/// Lion.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/detail/parameter_arithmetic.h"
#include "ddx/nn/detail/runtime_arithmetic.h"
#include "ddx/nn/optimizers/first_order_optimizer.h"
#include "ddx/nn/runtime_number.h"
#include "ddx/nn/scheduled_number.h"

#include <array>
#include <string_view>

namespace ddx::nn {

/// The settings of Lion.
struct LionOptions {
  ScheduledNumber learning_rate = 1e-4;
  double beta1 = 0.9;       ///< How much of the momentum is in the direction of a step.
  double beta2 = 0.99;      ///< How much of the momentum stays.
  double weight_decay = 0;  ///< Times learning rate and parameter, taken off each step.

  friend bool operator==(const LionOptions&, const LionOptions&) = default;

  DDX_NO_DERIVATIVE(learning_rate, beta1, beta2, weight_decay)
};

namespace detail {

/// The step of Lion.
class LionRule : public UpdateRule {
 public:
  using Options = LionOptions;
  static constexpr const char* name = "Lion";
  static constexpr std::array<std::string_view, 1> state_names{"momentum"};

  static void check(const Options& options) {
    require_not_negative(name, "learning_rate", options.learning_rate);
    require_not_negative(name, "weight_decay", options.weight_decay);
    require_fraction(name, "beta1", options.beta1);
    require_fraction(name, "beta2", options.beta2);
  }

  LionRule(const Options& options, const RuntimeNumber& /*step*/)
      : options_(options), length_(-options.learning_rate.number()) {}

  template <class Parameter>
  void step(Parameter& weight, const Parameter& gradient, Parameter& momentum) const {
    const Parameter change =
        with_decay(direction(moved_average(momentum, options_.beta1, gradient)),
                   options_.weight_decay, weight);
    weight = plus_scaled(given_away(weight), length_, change);
    momentum = moved_average(momentum, options_.beta2, gradient);
  }

 private:
  Options options_;
  RuntimeNumber length_;  // Of this step, with its sign.
};

}  // namespace detail

/// Steps of one size, along the sign of momentum and gradient. With gradient g and learning rate r:
///
///   c = sign(b1 m + (1 - b1) g),  w <- w - r (c + d w),  m <- b2 m + (1 - b2) g.
///
/// Source:  X. Chen et al., "Symbolic discovery of optimization algorithms", NeurIPS 2023.
/// Example:
///   Lion optimizer(model, {.learning_rate = 1e-4, .weight_decay = 1});
///   optimizer.update(model, gradient);
template <class Model>
class Lion : public FirstOrderOptimizer<Model, detail::LionRule> {
 public:
  explicit Lion(const Model& model, const LionOptions& given = {})
      : FirstOrderOptimizer<Model, detail::LionRule>(model, given) {}
};

}  // namespace ddx::nn
