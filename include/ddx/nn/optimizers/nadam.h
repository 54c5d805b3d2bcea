/// \file
/// NAdam.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/nn/detail/moments.h"
#include "ddx/nn/detail/nesterov_momenta.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/detail/parameter_arithmetic.h"
#include "ddx/nn/detail/runtime_arithmetic.h"
#include "ddx/nn/optimizers/first_order_optimizer.h"
#include "ddx/nn/runtime_number.h"
#include "ddx/nn/scheduled_number.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace ddx::nn {

/// The settings of NAdam.
struct NAdamOptions {
  ScheduledNumber learning_rate = 2e-3;
  double beta1 = 0.9;            ///< How much of the mean gradient stays.
  double beta2 = 0.999;          ///< How much of the mean squared gradient stays.
  double epsilon = 1e-8;         ///< Added to the root.
  double momentum_decay = 4e-3;  ///< How fast the momentum approaches beta1.
  double weight_decay = 0;       ///< Times the parameter, added to its gradient.

  friend bool operator==(const NAdamOptions&, const NAdamOptions&) = default;

  DDX_NO_DERIVATIVE(learning_rate, beta1, beta2, epsilon, momentum_decay, weight_decay)
};

namespace detail {

/// The step of NAdam.
class NAdamRule : public MomentsRule<NAdamRule, NAdamOptions> {
 public:
  static constexpr const char* name = "NAdam";
  static constexpr std::array<std::string_view, 2> state_names{"mean", "square"};

  static void check(const Options& options) {
    check_moments(name, options);
    require_not_negative(name, "momentum_decay", options.momentum_decay);
  }

  NAdamRule(const Options& options, const RuntimeNumber& step) : MomentsRule(options, step) {
    const double beta = options.beta1;
    const double decay = options.momentum_decay;
    const RuntimeNumber product = momentum_product(beta, decay, step);
    const RuntimeNumber next = momentum_at(beta, decay, step + 1);
    gradient_part_ = (1 - momentum_at(beta, decay, step)) / (1 - product);
    mean_part_ = next / (1 - product * next);
    length_ = -options.learning_rate.number() * moments_.root_of_share();
  }

  template <class Parameter>
  void step(Parameter& weight, const Parameter& gradient, Parameter& mean,
            Parameter& square) const {
    const Parameter g = with_decay(gradient, options_.weight_decay, weight);
    moments_.follow(g, mean, square);
    const Parameter ahead = plus_scaled(scaled(g, gradient_part_), mean_part_, mean);
    weight = plus_scaled(given_away(weight), length_,
                         over_root(ahead, square, moments_.scaled_epsilon()));
  }

 private:
  RuntimeNumber gradient_part_ = 0;  // Of the gradient in the step's direction, and of the mean.
  RuntimeNumber mean_part_ = 0;
  RuntimeNumber length_ = 0;  // Of the step, with its sign.
};

}  // namespace detail

/// Adam with Nesterov's momentum. With gradient g in step t, u_t = b1 (1 - 0.96^(t c) / 2), c being
/// the momentum decay, and U_t = u_1 ... u_t:
///
///   g <- g + d w,  m <- b1 m + (1 - b1) g,  v <- b2 v + (1 - b2) g^2,
///   w <- w - r ((1 - u_t) g / (1 - U_t) + u_(t + 1) m / (1 - U_(t + 1))) /
///              (sqrt(v / (1 - b2^t)) + e).
///
/// Source:  T. Dozat, "Incorporating Nesterov momentum into Adam", ICLR workshop 2016.
/// Example:
///   NAdam optimizer(model, {.learning_rate = 2e-3});
///   optimizer.update(model, gradient);
template <class Model>
class NAdam : public FirstOrderOptimizer<Model, detail::NAdamRule> {
 public:
  explicit NAdam(const Model& model, const NAdamOptions& given = {})
      : FirstOrderOptimizer<Model, detail::NAdamRule>(model, given) {}
};

}  // namespace ddx::nn
