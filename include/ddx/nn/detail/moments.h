/// \file
/// The moving averages of a gradient and its square, as Adam and similar rules use them.

#pragma once

#include "ddx/nn/detail/options.h"
#include "ddx/nn/detail/parameter_arithmetic.h"
#include "ddx/nn/detail/runtime_arithmetic.h"
#include "ddx/nn/optimizers/first_order_optimizer.h"
#include "ddx/nn/runtime_number.h"
#include "ddx/nn/scheduled_number.h"

namespace ddx::nn::detail {

/// Throws: UsageError where an option that all of them have is out of its range.
template <class Options>
void check_moments(const char* optimizer, const Options& options) {
  require_not_negative(optimizer, "learning_rate", options.learning_rate);
  require_fraction(optimizer, "beta1", options.beta1);
  require_fraction(optimizer, "beta2", options.beta2);
  require_not_negative(optimizer, "epsilon", options.epsilon);
  require_not_negative(optimizer, "weight_decay", options.weight_decay);
}

/// How the averages move in step t. They begin as zeros, so that only a share of each, 1 - beta^t,
/// is made of gradients. Its numbers are computed once for all parameters.
class Moments {
 public:
  template <class Options>
  Moments(const Options& options, const RuntimeNumber& step)
      : beta1_(options.beta1),
        beta2_(options.beta2),
        mean_share_(1 - pow(beta1_, step)),
        square_share_(1 - pow(beta2_, step)),
        root_(sqrt(square_share_)),
        epsilon_(options.epsilon * root_),
        length_(-options.learning_rate.number() * root_ / mean_share_) {}

  [[nodiscard]] const RuntimeNumber& mean_share() const { return mean_share_; }
  [[nodiscard]] const RuntimeNumber& square_share() const { return square_share_; }
  /// sqrt(square_share).
  [[nodiscard]] const RuntimeNumber& root_of_share() const { return root_; }
  /// epsilon sqrt(square_share): sqrt(v / c) + e = (sqrt(v) + e sqrt(c)) / sqrt(c).
  [[nodiscard]] const RuntimeNumber& scaled_epsilon() const { return epsilon_; }

  /// Moves the averages towards the gradient and its square.
  template <class Parameter>
  void follow(const Parameter& gradient, Parameter& mean, Parameter& square) const {
    mean = moved_average(mean, beta1_, gradient);
    square = moved_average(square, beta2_, squared(gradient));
  }

  /// weight <- weight - rate (mean / mean_share) / (sqrt(square / square_share) + epsilon).
  template <class Parameter>
  void descend(Parameter& weight, const Parameter& mean, const Parameter& square) const {
    weight = plus_scaled(given_away(weight), length_, over_root(mean, square, epsilon_));
  }

 private:
  double beta1_;
  double beta2_;
  RuntimeNumber mean_share_;
  RuntimeNumber square_share_;
  RuntimeNumber root_;
  RuntimeNumber epsilon_;
  RuntimeNumber length_;  // Of a step, with the shares and its sign.
};

/// A rule that keeps both averages. A kind of it has a name, `state_names` and `step`.
template <class Kind, class Given>
class MomentsRule : public UpdateRule {
 public:
  using Options = Given;

  static void check(const Options& options) { check_moments(Kind::name, options); }

  MomentsRule(const Options& options, const RuntimeNumber& step)
      : options_(options), moments_(options, step) {}

 protected:
  Options options_;
  Moments moments_;
};

}  // namespace ddx::nn::detail
