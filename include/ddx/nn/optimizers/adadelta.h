/// \file
/// AdaDelta.

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

/// The settings of AdaDelta.
struct AdaDeltaOptions {
  ScheduledNumber learning_rate = 1;
  double rho = 0.95;        ///< How much of the mean squares stays.
  double epsilon = 1e-6;    ///< Added to the mean squares under their roots.
  double weight_decay = 0;  ///< Times the parameter, added to its gradient.

  friend bool operator==(const AdaDeltaOptions&, const AdaDeltaOptions&) = default;

  DDX_NO_DERIVATIVE(learning_rate, rho, epsilon, weight_decay)
};

namespace detail {

/// The step of AdaDelta.
class AdaDeltaRule : public UpdateRule {
 public:
  using Options = AdaDeltaOptions;
  static constexpr const char* name = "AdaDelta";
  static constexpr std::array<std::string_view, 2> state_names{"square", "change_square"};

  static void check(const Options& options) {
    require_not_negative(name, "learning_rate", options.learning_rate);
    require_not_negative(name, "weight_decay", options.weight_decay);
    require_fraction(name, "rho", options.rho);
    require_above_zero(name, "epsilon", options.epsilon);
  }

  AdaDeltaRule(const Options& options, const RuntimeNumber& /*step*/)
      : options_(options), length_(-options.learning_rate.number()) {}

  template <class Parameter>
  void step(Parameter& weight, const Parameter& gradient, Parameter& square,
            Parameter& change_square) const {
    const Parameter g = with_decay(gradient, options_.weight_decay, weight);
    square = moved_average(square, options_.rho, squared(g));
    const Parameter change =
        root(plus(change_square, options_.epsilon)) / root(plus(square, options_.epsilon)) * g;
    change_square = moved_average(change_square, options_.rho, squared(change));
    weight = plus_scaled(given_away(weight), length_, change);
  }

 private:
  Options options_;
  RuntimeNumber length_;  // Of this step, with its sign.
};

}  // namespace detail

/// Steps as large as the recent ones, in proportion to the recent gradients. With gradient g:
///
///   g <- g + d w,  s <- p s + (1 - p) g^2,  c = g sqrt(u + e) / sqrt(s + e),
///   u <- p u + (1 - p) c^2,  w <- w - r c.
///
/// Source:  M. Zeiler, "ADADELTA: an adaptive learning rate method", arXiv 1212.5701, 2012.
/// Example:
///   AdaDelta optimizer(model, {.rho = 0.9});
///   optimizer.update(model, gradient);
template <class Model>
class AdaDelta : public FirstOrderOptimizer<Model, detail::AdaDeltaRule> {
 public:
  explicit AdaDelta(const Model& model, const AdaDeltaOptions& given = {})
      : FirstOrderOptimizer<Model, detail::AdaDeltaRule>(model, given) {}
};

}  // namespace ddx::nn
