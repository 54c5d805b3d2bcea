/// \file
/// LAMB.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/nn/detail/moments.h"
#include "ddx/nn/detail/parameter_arithmetic.h"
#include "ddx/nn/detail/runtime_arithmetic.h"
#include "ddx/nn/optimizers/first_order_optimizer.h"
#include "ddx/nn/runtime_number.h"
#include "ddx/nn/scheduled_number.h"

#include <array>
#include <string_view>

namespace ddx::nn {

/// The settings of LAMB.
struct LAMBOptions {
  ScheduledNumber learning_rate = 1e-3;
  double beta1 = 0.9;       ///< How much of the mean gradient stays.
  double beta2 = 0.999;     ///< How much of the mean squared gradient stays.
  double epsilon = 1e-6;    ///< Added to the root.
  double weight_decay = 0;  ///< Times the parameter, added to the direction of the step.

  friend bool operator==(const LAMBOptions&, const LAMBOptions&) = default;

  DDX_NO_DERIVATIVE(learning_rate, beta1, beta2, epsilon, weight_decay)
};

namespace detail {

/// The step of LAMB.
class LAMBRule : public MomentsRule<LAMBRule, LAMBOptions> {
 public:
  static constexpr const char* name = "LAMB";
  static constexpr std::array<std::string_view, 2> state_names{"mean", "square"};

  LAMBRule(const Options& options, const RuntimeNumber& step)
      : MomentsRule(options, step),
        of_direction_(moments_.root_of_share() / moments_.mean_share()),
        length_(-options.learning_rate.number()) {}

  template <class Parameter>
  void step(Parameter& weight, const Parameter& gradient, Parameter& mean,
            Parameter& square) const {
    moments_.follow(gradient, mean, square);
    const Parameter change =
        with_decay(scaled(over_root(mean, square, moments_.scaled_epsilon()), of_direction_),
                   options_.weight_decay, weight);
    const RuntimeNumber of_weight = detail::norm(weight);
    const RuntimeNumber of_change = detail::norm(change);
    const RuntimeNumber trust = choose_zero(min(of_weight, of_change), 1, of_weight / of_change);
    weight = plus_scaled(given_away(weight), length_ * trust, change);
  }

 private:
  RuntimeNumber of_direction_;  // What both shares leave of it.
  RuntimeNumber length_;        // Of this step, with its sign.
};

}  // namespace detail

/// Adam with steps in proportion to the size of each parameter, for large batches. With gradient g
/// in step t, learning rate r, and |x| the Euclidean norm of a whole parameter:
///
///   m <- b1 m + (1 - b1) g,  v <- b2 v + (1 - b2) g^2,
///   c = (m / (1 - b1^t)) / (sqrt(v / (1 - b2^t)) + e) + d w,  w <- w - r |w| / |c| c;
///
/// the ratio of the norms is 1 where one of them is 0.
///
/// Source:  Y. You et al., "Large batch optimization for deep learning: training BERT in 76
///          minutes", ICLR 2020, algorithm 2.
/// Example:
///   LAMB optimizer(model, {.learning_rate = 1e-3, .weight_decay = 0.01});
///   optimizer.update(model, gradient);
template <class Model>
class LAMB : public FirstOrderOptimizer<Model, detail::LAMBRule> {
 public:
  explicit LAMB(const Model& model, const LAMBOptions& given = {})
      : FirstOrderOptimizer<Model, detail::LAMBRule>(model, given) {}
};

}  // namespace ddx::nn
