/// \file
/// AMSGrad.

#pragma once

#include "ddx/nn/detail/moments.h"
#include "ddx/nn/detail/parameter_arithmetic.h"
#include "ddx/nn/optimizers/adam.h"
#include "ddx/nn/optimizers/first_order_optimizer.h"

#include <array>
#include <string_view>

namespace ddx::nn {

/// The settings of AMSGrad: those of Adam.
using AMSGradOptions = AdamOptions;

namespace detail {

/// The step of AMSGrad.
class AMSGradRule : public MomentsRule<AMSGradRule, AMSGradOptions> {
 public:
  using MomentsRule::MomentsRule;
  static constexpr const char* name = "AMSGrad";
  static constexpr std::array<std::string_view, 3> state_names{"mean", "square", "largest_square"};

  template <class Parameter>
  void step(Parameter& weight, const Parameter& gradient, Parameter& mean, Parameter& square,
            Parameter& largest_square) const {
    moments_.follow(with_decay(gradient, options_.weight_decay, weight), mean, square);
    largest_square = larger(largest_square, square);
    moments_.descend(weight, mean, largest_square);
  }
};

}  // namespace detail

/// Adam whose steps do not grow again when gradients become small: it divides by the largest mean
/// square so far. With gradient g in step t and learning rate r:
///
///   g <- g + d w,  m <- b1 m + (1 - b1) g,  v <- b2 v + (1 - b2) g^2,  u <- max(u, v),
///   w <- w - r (m / (1 - b1^t)) / (sqrt(u / (1 - b2^t)) + e).
///
/// Source:  S. Reddi, S. Kale, S. Kumar, "On the convergence of Adam and beyond", ICLR 2018.
/// Example:
///   AMSGrad optimizer(model, {.learning_rate = 1e-3});
///   optimizer.update(model, gradient);
template <class Model>
class AMSGrad : public FirstOrderOptimizer<Model, detail::AMSGradRule> {
 public:
  explicit AMSGrad(const Model& model, const AMSGradOptions& given = {})
      : FirstOrderOptimizer<Model, detail::AMSGradRule>(model, given) {}
};

}  // namespace ddx::nn
