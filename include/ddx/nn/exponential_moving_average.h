/// \file
/// A model whose parameters are averages over the steps of a training.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/detail/parameter_arithmetic.h"
#include "ddx/nn/detail/runtime_arithmetic.h"
#include "ddx/nn/detail/step_count.h"
#include "ddx/nn/path.h"
#include "ddx/nn/runtime_number.h"
#include "ddx/nn/visit.h"

#include <utility>

namespace ddx::nn {

/// The settings of ExponentialMovingAverage.
struct ExponentialMovingAverageOptions {
  double decay = 0.999;  ///< How much of the average stays in each step.
  bool warm_up = false;  ///< Whether step t keeps at most (1 + t) / (10 + t), to forget the start.

  friend bool operator==(const ExponentialMovingAverageOptions&,
                         const ExponentialMovingAverageOptions&) = default;
};

/// Follows a model: after each step its average moves towards it, a <- d a + (1 - d) w for each
/// parameter. The average begins as the model itself. State that is no parameter, such as running
/// averages of batch normalisation, is that of the model last seen.
///
/// Source:  B. Polyak, A. Juditsky, "Acceleration of stochastic approximation by averaging", 1992.
/// Example:
///   ExponentialMovingAverage average(model, {.decay = 0.999});
///   optimizer.update(model, gradient);
///   average.update(model);
///   evaluate(average.model());
template <class Model>
class ExponentialMovingAverage {
 public:
  /// Throws:  UsageError where the decay is not in [0, 1).
  explicit ExponentialMovingAverage(const Model& model,
                                    const ExponentialMovingAverageOptions& given = {})
      : options(given), average_(model) {
    detail::require_fraction(name, "decay", options.decay);
  }

  /// Moves the average towards the model.
  ///
  /// Throws:  UsageError where the decay is not in [0, 1), or a parameter has another shape or
  ///          device than its average. Nothing is changed then.
  void update(const Model& model) {
    detail::require_fraction(name, "decay", options.decay);
    const RuntimeNumber t = steps_.next();
    const RuntimeNumber decay =
        options.warm_up ? min(options.decay, (1 + t) / (10 + t)) : options.decay;
    Model next = model;
    visit_parameters(
        [&](const Path& path, auto& weight, const auto& average) {
          detail::check_alike(name, path, "average", average, "parameter", weight);
          weight = detail::moved_average(average, decay, weight);
        },
        next, std::as_const(average_));
    average_ = std::move(next);
    steps_.advance();
  }

  /// The averaged model.
  [[nodiscard]] const Model& model() const noexcept { return average_; }

  /// Names all of the averaged model and the number of steps, for checkpoints.
  template <class Visitor>
  void visit_state(Visitor&& visitor) {
    const Path root;
    detail::StateVisitor<Visitor> each{visitor};
    detail::walk(Path(root, "average"), each, average_);
    steps_.visit_state(Path(root, "steps"), visitor);
  }

  ExponentialMovingAverageOptions options;  ///< May be changed between steps.

 private:
  static constexpr const char* name = "ExponentialMovingAverage";

  Model average_;
  detail::StepCount steps_;

 public:
  DDX_NO_DERIVATIVE(options, average_, steps_)
};

}  // namespace ddx::nn
