/// \file
/// Adam.

#pragma once

#include "ddx/ad/tangent.h"
#include "ddx/nn/detail/parameter_arithmetic.h"
#include "ddx/nn/path.h"
#include "ddx/nn/visit.h"

#include <cmath>
#include <cstdint>
#include <utility>

namespace ddx::nn {

/// The settings of Adam.
struct AdamOptions {
  double learning_rate = 1e-3;
  double beta1 = 0.9;       ///< How much of the mean gradient stays.
  double beta2 = 0.999;     ///< How much of the mean squared gradient stays.
  double epsilon = 1e-8;    ///< Added to the root.
  double weight_decay = 0;  ///< Times the learning rate and the parameter, taken off it each step.

  friend bool operator==(const AdamOptions&, const AdamOptions&) = default;
};

/// Steps scaled by the recent size of each gradient. With gradient g in step t and learning rate r:
///
///   m <- b1 m + (1 - b1) g,  v <- b2 v + (1 - b2) g^2,
///   w <- w - r d w - r (m / (1 - b1^t)) / (sqrt(v / (1 - b2^t)) + e).
///
/// A parameter whose gradient is a symbolic zero is left alone.
///
/// Source:  D. Kingma, J. Ba, "Adam: a method for stochastic optimization", ICLR 2015; decay after
///          I. Loshchilov, F. Hutter, "Decoupled weight decay regularization", ICLR 2019.
/// Example:
///   Adam optimizer(model, {.learning_rate = 1e-3});
///   optimizer.update(model, gradient);
template <class Model>
class Adam {
 public:
  using Tangent = TangentOf<Model>;

  explicit Adam(const Model& model, const AdamOptions& given = {})
      : options(given),
        mean_(detail::zeros_shaped_like(model)),
        square_(detail::zeros_shaped_like(model)) {}

  /// Takes one step.
  ///
  /// Throws:  UsageError where a gradient has another shape than its parameter; names both. Nothing
  ///          is changed then.
  void update(Model& model, const Tangent& gradient) {
    visit_parameters([](const Path& path, const auto& weight,
                        const auto& slope) { detail::check_gradient("Adam", path, weight, slope); },
                     std::as_const(model), gradient);
    ++steps_;
    const auto t = static_cast<double>(steps_);
    const double mean_share = 1 - std::pow(options.beta1, t);
    const double square_share = 1 - std::pow(options.beta2, t);
    visit_parameters(
        [&](const Path&, auto& weight, const auto& slope, auto& mean, auto& square) {
          if (!detail::is_absent(slope)) {
            step(weight, slope, mean, square, mean_share, square_share);
          }
        },
        model, gradient, mean_, square_);
  }

  /// Names the averages of each parameter and the number of steps, for checkpoints.
  template <class Visitor>
  void visit_state(Visitor&& visitor) {
    const Path root;
    detail::ParameterVisitor<Visitor> each{visitor};
    detail::walk(Path(root, "mean"), each, mean_);
    detail::walk(Path(root, "square"), each, square_);
    visitor(Path(root, "steps"), steps_);
  }

  AdamOptions options;  ///< May be changed between steps.

 private:
  template <class Parameter>
  void step(Parameter& weight, const Parameter& slope, Parameter& mean, Parameter& square,
            double mean_share, double square_share) const {
    mean = detail::plus_scaled(detail::scaled(mean, options.beta1), 1 - options.beta1, slope);
    square = detail::plus_scaled(detail::scaled(square, options.beta2), 1 - options.beta2,
                                 detail::squared(slope));
    if (options.weight_decay != 0) {
      weight = detail::scaled(weight, 1 - options.learning_rate * options.weight_decay);
    }
    // sqrt(v / c) + e = (sqrt(v) + e sqrt(c)) / sqrt(c): the shares join the step length.
    const double root = std::sqrt(square_share);
    weight = detail::plus_scaled(std::move(weight), -options.learning_rate * root / mean_share,
                                 detail::over_root(mean, square, options.epsilon * root));
  }

  Tangent mean_;
  Tangent square_;
  std::int64_t steps_ = 0;
};

}  // namespace ddx::nn
