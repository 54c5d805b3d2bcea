/// \file
/// AdaMax.

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

/// The settings of AdaMax.
struct AdaMaxOptions {
  ScheduledNumber learning_rate = 2e-3;
  double beta1 = 0.9;       ///< How much of the mean gradient stays.
  double beta2 = 0.999;     ///< How much of the largest gradient stays.
  double epsilon = 1e-8;    ///< Added to the size of the gradient.
  double weight_decay = 0;  ///< Times the parameter, added to its gradient.

  friend bool operator==(const AdaMaxOptions&, const AdaMaxOptions&) = default;

  DDX_NO_DERIVATIVE(learning_rate, beta1, beta2, epsilon, weight_decay)
};

namespace detail {

/// The step of AdaMax.
class AdaMaxRule : public UpdateRule {
 public:
  using Options = AdaMaxOptions;
  static constexpr const char* name = "AdaMax";
  static constexpr std::array<std::string_view, 2> state_names{"mean", "largest"};

  static void check(const Options& options) {
    require_not_negative(name, "learning_rate", options.learning_rate);
    require_not_negative(name, "weight_decay", options.weight_decay);
    require_fraction(name, "beta1", options.beta1);
    require_fraction(name, "beta2", options.beta2);
    require_above_zero(name, "epsilon", options.epsilon);
  }

  AdaMaxRule(const Options& options, const RuntimeNumber& step)
      : options_(options),
        length_(-(options.learning_rate.number() / (1 - pow(options.beta1, step)))) {}

  template <class Parameter>
  void step(Parameter& weight, const Parameter& gradient, Parameter& mean,
            Parameter& largest) const {
    const Parameter g = with_decay(gradient, options_.weight_decay, weight);
    mean = moved_average(mean, options_.beta1, g);
    largest = larger(scaled(largest, options_.beta2), plus(magnitude(g), options_.epsilon));
    weight = plus_scaled(given_away(weight), length_, mean / largest);
  }

 private:
  Options options_;
  RuntimeNumber length_;  // Of this step, with its sign.
};

}  // namespace detail

/// Steps scaled by the largest recent gradient. With gradient g in step t and learning rate r:
///
///   g <- g + d w,  m <- b1 m + (1 - b1) g,  u <- max(b2 u, |g| + e),
///   w <- w - r / (1 - b1^t) m / u.
///
/// Source:  D. Kingma, J. Ba, "Adam: a method for stochastic optimization", ICLR 2015, section 7.1.
/// Example:
///   AdaMax optimizer(model, {.learning_rate = 2e-3});
///   optimizer.update(model, gradient);
template <class Model>
class AdaMax : public FirstOrderOptimizer<Model, detail::AdaMaxRule> {
 public:
  explicit AdaMax(const Model& model, const AdaMaxOptions& given = {})
      : FirstOrderOptimizer<Model, detail::AdaMaxRule>(model, given) {}
};

}  // namespace ddx::nn
