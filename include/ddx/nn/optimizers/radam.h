/// \file
/// RAdam.

#pragma once

#include "ddx/nn/detail/moments.h"
#include "ddx/nn/detail/parameter_arithmetic.h"
#include "ddx/nn/detail/runtime_arithmetic.h"
#include "ddx/nn/optimizers/adam.h"
#include "ddx/nn/optimizers/first_order_optimizer.h"
#include "ddx/nn/runtime_number.h"

#include <array>
#include <string_view>
#include <utility>

namespace ddx::nn {

/// The settings of RAdam: those of Adam.
using RAdamOptions = AdamOptions;

namespace detail {

/// The step of RAdam.
class RAdamRule : public MomentsRule<RAdamRule, RAdamOptions> {
 public:
  static constexpr const char* name = "RAdam";
  static constexpr std::array<std::string_view, 2> state_names{"mean", "square"};

  RAdamRule(const Options& options, const RuntimeNumber& step) : MomentsRule(options, step) {
    const double longest = 2 / (1 - options.beta2) - 1;
    const RuntimeNumber& share = moments_.square_share();
    const RuntimeNumber length = longest - 2 * step * (1 - share) / share;  // 1 - share = b2^t.
    rectification_ = choose_positive(
        length - 5,
        sqrt((length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length)), 0);
    plain_rate_ = -(options.learning_rate.number() / moments_.mean_share());
    rectified_rate_ = plain_rate_ * rectification_ * moments_.root_of_share();
  }

  template <class Parameter>
  void step(Parameter& weight, const Parameter& gradient, Parameter& mean,
            Parameter& square) const {
    moments_.follow(with_decay(gradient, options_.weight_decay, weight), mean, square);
    const auto rectified = [&](Parameter from) {
      return plus_scaled(std::move(from), rectified_rate_,
                         over_root(mean, square, options_.epsilon));
    };
    const auto plain = [&](Parameter from) {
      return plus_scaled(std::move(from), plain_rate_, mean);
    };
    weight = choose_positive(rectification_, std::move(weight), rectified, plain);
  }

 private:
  RuntimeNumber rectification_ = 0;  // 0: the variance is not known yet.
  RuntimeNumber plain_rate_ = 0;     // With their signs.
  RuntimeNumber rectified_rate_ = 0;
};

}  // namespace detail

/// Adam that waits with dividing until the variance of its divisor is known to be finite. With
/// gradient g in step t, n = 2 / (1 - b2) - 1 and n_t = n - 2 t b2^t / (1 - b2^t):
///
///   g <- g + d w,  m <- b1 m + (1 - b1) g,  v <- b2 v + (1 - b2) g^2,
///   w <- w - r m / (1 - b1^t)                                              where n_t <= 5, else
///   w <- w - r m / (1 - b1^t) l sqrt(1 - b2^t) / (sqrt(v) + e),
///   l^2 = (n_t - 4) (n_t - 2) n / ((n - 4) (n - 2) n_t).
///
/// Source:  L. Liu et al., "On the variance of the adaptive learning rate and beyond", ICLR 2020.
/// Example:
///   RAdam optimizer(model, {.learning_rate = 1e-3});
///   optimizer.update(model, gradient);
template <class Model>
class RAdam : public FirstOrderOptimizer<Model, detail::RAdamRule> {
 public:
  explicit RAdam(const Model& model, const RAdamOptions& given = {})
      : FirstOrderOptimizer<Model, detail::RAdamRule>(model, given) {}
};

}  // namespace ddx::nn
