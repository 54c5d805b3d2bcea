/// \file
/// Adam.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/nn/detail/moments.h"
#include "ddx/nn/detail/parameter_arithmetic.h"
#include "ddx/nn/optimizers/first_order_optimizer.h"
#include "ddx/nn/scheduled_number.h"

#include <array>
#include <string_view>

namespace ddx::nn {

/// The settings of Adam.
struct AdamOptions {
  ScheduledNumber learning_rate = 1e-3;
  double beta1 = 0.9;       ///< How much of the mean gradient stays.
  double beta2 = 0.999;     ///< How much of the mean squared gradient stays.
  double epsilon = 1e-8;    ///< Added to the root.
  double weight_decay = 0;  ///< Times the parameter, added to its gradient.

  friend bool operator==(const AdamOptions&, const AdamOptions&) = default;

  DDX_NO_DERIVATIVE(learning_rate, beta1, beta2, epsilon, weight_decay)
};

namespace detail {

/// The step of Adam.
class AdamRule : public MomentsRule<AdamRule, AdamOptions> {
 public:
  using MomentsRule::MomentsRule;
  static constexpr const char* name = "Adam";
  static constexpr std::array<std::string_view, 2> state_names{"mean", "square"};

  template <class Parameter>
  void step(Parameter& weight, const Parameter& gradient, Parameter& mean,
            Parameter& square) const {
    moments_.follow(with_decay(gradient, options_.weight_decay, weight), mean, square);
    moments_.descend(weight, mean, square);
  }
};

}  // namespace detail

/// Steps scaled by the recent size of each gradient. With gradient g in step t and learning rate r:
///
///   g <- g + d w,  m <- b1 m + (1 - b1) g,  v <- b2 v + (1 - b2) g^2,
///   w <- w - r (m / (1 - b1^t)) / (sqrt(v / (1 - b2^t)) + e).
///
/// AdamW takes the weight decay off the parameter instead.
///
/// Source:  D. Kingma, J. Ba, "Adam: a method for stochastic optimization", ICLR 2015.
/// Example:
///   Adam optimizer(model, {.learning_rate = 1e-3});
///   optimizer.update(model, gradient);
template <class Model>
class Adam : public FirstOrderOptimizer<Model, detail::AdamRule> {
 public:
  explicit Adam(const Model& model, const AdamOptions& given = {})
      : FirstOrderOptimizer<Model, detail::AdamRule>(model, given) {}
};

}  // namespace ddx::nn
