/// \file
/// AdaGrad.

#pragma once

#include "ddx/ad/differentiable.h"
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

/// The settings of AdaGrad.
struct AdaGradOptions {
  ScheduledNumber learning_rate = 1e-3;
  double learning_rate_decay = 0;    ///< Step t has the rate divided by 1 + (t - 1) times this.
  double initial_accumulator = 0.1;  ///< The sum of squares before the first step.
  double epsilon = 1e-8;             ///< Added to the root.
  double weight_decay = 0;           ///< Times the parameter, added to its gradient.

  friend bool operator==(const AdaGradOptions&, const AdaGradOptions&) = default;

  DDX_NO_DERIVATIVE(learning_rate, learning_rate_decay, initial_accumulator, epsilon, weight_decay)
};

namespace detail {

/// The step of AdaGrad.
class AdaGradRule : public UpdateRule {
 public:
  using Options = AdaGradOptions;
  static constexpr const char* name = "AdaGrad";
  static constexpr std::array<std::string_view, 1> state_names{"sum"};

  static void check(const Options& options) {
    require_not_negative(name, "learning_rate", options.learning_rate);
    require_not_negative(name, "learning_rate_decay", options.learning_rate_decay);
    require_not_negative(name, "initial_accumulator", options.initial_accumulator);
    require_not_negative(name, "epsilon", options.epsilon);
    require_not_negative(name, "weight_decay", options.weight_decay);
  }

  static double initial_value(const Options& options, std::size_t /*state*/) {
    return options.initial_accumulator;
  }

  AdaGradRule(const Options& options, const RuntimeNumber& step)
      : options_(options),
        rate_(options.learning_rate.number() / (1 + (step - 1) * options.learning_rate_decay)) {}

  template <class Parameter>
  void step(Parameter& weight, const Parameter& gradient, Parameter& sum) const {
    const Parameter g = with_decay(gradient, options_.weight_decay, weight);
    sum = sum + squared(g);
    weight = plus_scaled(given_away(weight), -rate_, over_root(g, sum, options_.epsilon));
  }

 private:
  Options options_;
  RuntimeNumber rate_;  // Of this step.
};

}  // namespace detail

/// Steps divided by the size of all gradients so far. With gradient g in step t:
///
///   g <- g + d w,  s <- s + g^2,  w <- w - r / (1 + (t - 1) c) g / (sqrt(s) + e).
///
/// Source:  J. Duchi, E. Hazan, Y. Singer, "Adaptive subgradient methods for online learning and
///          stochastic optimization", JMLR 12, 2011.
/// Example:
///   AdaGrad optimizer(model, {.learning_rate = 0.01});
///   optimizer.update(model, gradient);
template <class Model>
class AdaGrad : public FirstOrderOptimizer<Model, detail::AdaGradRule> {
 public:
  explicit AdaGrad(const Model& model, const AdaGradOptions& given = {})
      : FirstOrderOptimizer<Model, detail::AdaGradRule>(model, given) {}
};

}  // namespace ddx::nn
