/// \file
/// LARS.

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
#include <utility>

namespace ddx::nn {

/// The settings of LARS.
struct LARSOptions {
  ScheduledNumber learning_rate = 0.01;
  double momentum = 0.9;             ///< How much of the last step's velocity stays.
  double trust_coefficient = 0.001;  ///< The size of a step in proportion to the parameter's.
  double epsilon = 0;                ///< Added to the norm of the gradient.
  bool nesterov = false;             ///< Whether to step along the gradient seen from ahead.
  double weight_decay = 0;           ///< Times the parameter, added to its gradient.

  friend bool operator==(const LARSOptions&, const LARSOptions&) = default;

  DDX_NO_DERIVATIVE(learning_rate, momentum, trust_coefficient, epsilon, nesterov, weight_decay)
};

namespace detail {

/// The step of LARS.
class LARSRule : public UpdateRule {
 public:
  using Options = LARSOptions;
  static constexpr const char* name = "LARS";
  static constexpr std::array<std::string_view, 1> state_names{"velocity"};

  static void check(const Options& options) {
    require_not_negative(name, "learning_rate", options.learning_rate);
    require_not_negative(name, "momentum", options.momentum);
    require_not_negative(name, "trust_coefficient", options.trust_coefficient);
    require_not_negative(name, "epsilon", options.epsilon);
    require_not_negative(name, "weight_decay", options.weight_decay);
  }

  LARSRule(const Options& options, const RuntimeNumber& /*step*/) : options_(options) {}

  template <class Parameter>
  void step(Parameter& weight, const Parameter& gradient, Parameter& velocity) const {
    const RuntimeNumber of_weight = detail::norm(weight);
    const RuntimeNumber of_gradient = detail::norm(gradient);
    const RuntimeNumber trust =
        choose_zero(min(of_weight, of_gradient), 1,
                    options_.trust_coefficient * of_weight /
                        (of_gradient + options_.weight_decay * of_weight + options_.epsilon));
    const Parameter change = scaled(with_decay(gradient, options_.weight_decay, weight),
                                    trust * options_.learning_rate.number());
    velocity = plus_scaled(change, options_.momentum, velocity);
    weight = plus_scaled(
        std::move(weight), -1,
        options_.nesterov ? plus_scaled(change, options_.momentum, velocity) : velocity);
  }

 private:
  Options options_;
};

}  // namespace detail

/// Momentum with steps in proportion to the size of each parameter, for large batches. With
/// gradient g, learning rate r, trust coefficient k, and |x| the Euclidean norm of a whole
/// parameter:
///
///   c = r k |w| / (|g| + d |w| + e) (g + d w),  v <- m v + c,  w <- w - v,
///
/// or, after Nesterov, w <- w - (c + m v). The factor k |w| / ... is 1 where |w| or |g| is 0.
///
/// Source:  Y. You, I. Gitman, B. Ginsburg, "Large batch training of convolutional networks", arXiv
///          1708.03888, 2017, algorithm 1.
/// Example:
///   LARS optimizer(model, {.learning_rate = 1, .weight_decay = 1e-4});
///   optimizer.update(model, gradient);
template <class Model>
class LARS : public FirstOrderOptimizer<Model, detail::LARSRule> {
 public:
  explicit LARS(const Model& model, const LARSOptions& given = {})
      : FirstOrderOptimizer<Model, detail::LARSRule>(model, given) {}
};

}  // namespace ddx::nn
