/// \file
/// AdamW.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/nn/detail/moments.h"
#include "ddx/nn/detail/parameter_arithmetic.h"
#include "ddx/nn/optimizers/first_order_optimizer.h"
#include "ddx/nn/scheduled_number.h"

#include <array>
#include <string_view>

namespace ddx::nn {

/// The settings of AdamW.
struct AdamWOptions {
  ScheduledNumber learning_rate = 1e-3;
  double beta1 = 0.9;          ///< How much of the mean gradient stays.
  double beta2 = 0.999;        ///< How much of the mean squared gradient stays.
  double epsilon = 1e-8;       ///< Added to the root.
  double weight_decay = 0.01;  ///< Times learning rate and parameter, taken off each step.

  friend bool operator==(const AdamWOptions&, const AdamWOptions&) = default;

  DDX_NO_DERIVATIVE(learning_rate, beta1, beta2, epsilon, weight_decay)
};

namespace detail {

/// The step of AdamW.
class AdamWRule : public MomentsRule<AdamWRule, AdamWOptions> {
 public:
  static constexpr const char* name = "AdamW";
  static constexpr std::array<std::string_view, 2> state_names{"mean", "square"};

  AdamWRule(const Options& options, const RuntimeNumber& step)
      : MomentsRule(options, step),
        kept_(1 - options.learning_rate.number() * options.weight_decay) {}

  template <class Parameter>
  void step(Parameter& weight, const Parameter& gradient, Parameter& mean,
            Parameter& square) const {
    moments_.follow(gradient, mean, square);
    if (options_.weight_decay != 0) {
      weight = scaled(weight, kept_);
    }
    moments_.descend(weight, mean, square);
  }

 private:
  RuntimeNumber kept_;  // Of the weights, by their decay.
};

}  // namespace detail

/// Adam with weight decay apart from the gradient. With gradient g in step t and learning rate r:
///
///   m <- b1 m + (1 - b1) g,  v <- b2 v + (1 - b2) g^2,
///   w <- w - r d w - r (m / (1 - b1^t)) / (sqrt(v / (1 - b2^t)) + e).
///
/// Source:  I. Loshchilov, F. Hutter, "Decoupled weight decay regularization", ICLR 2019.
/// Example:
///   AdamW optimizer(model, {.learning_rate = 1e-3, .weight_decay = 0.1});
///   optimizer.update(model, gradient);
template <class Model>
class AdamW : public FirstOrderOptimizer<Model, detail::AdamWRule> {
 public:
  explicit AdamW(const Model& model, const AdamWOptions& given = {})
      : FirstOrderOptimizer<Model, detail::AdamWRule>(model, given) {}
};

}  // namespace ddx::nn
