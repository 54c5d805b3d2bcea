/// \file
/// A model whose parameters are averages over the steps of a training.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/detail/parameter_arithmetic.h"
#include "ddx/nn/detail/runtime_arithmetic.h"
#include "ddx/nn/detail/step_count.h"
#include "ddx/nn/detail/visitors.h"
#include "ddx/nn/detail/walk.h"
#include "ddx/nn/detail/wide_parameters.h"
#include "ddx/nn/path.h"
#include "ddx/nn/runtime_number.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/tensor.h"

#include <utility>

namespace ddx::nn {

namespace detail {

/// Visits all of an averaged model, where the averages of 16-bit tensors are their counterparts.
template <class Visit>
struct AverageVisitor {
  StateVisitor<Visit> all;
  Counterparts<WideTensors> wide;

  template <class Part>
  void parameter(const Path& path, Part& part) {
    auto& average = wide.next(part);
    all.parameter(path, average);
    if constexpr (NarrowParameter<Part>) {
      part = cast<typename Part::Element>(average);
    }
  }
  void object(const Path& path, auto& part) { all.object(path, part); }
};

}  // namespace detail

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
/// The averages of 16-bit tensors are kept in f32, where small changes are not rounded away, and
/// rounded for the averaged model.
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
    visit_parameters(
        [&](const Path&, const auto& parameter) {
          if constexpr (detail::NarrowParameter<decltype(parameter)>) {
            wide_.push_back(cast<float>(parameter));
          }
        },
        model);
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
    detail::WideTensors next_wide = wide_;
    detail::Counterparts wide(next_wide);
    visit_parameters(
        [&]<class Weight>(const Path& path, Weight& weight, const auto& average) {
          detail::check_alike(name, path, "average", average, "parameter", weight);
          if constexpr (detail::NarrowParameter<Weight>) {
            Tensor<float>& kept = wide.next(weight);
            kept = detail::moved_average(kept, decay, cast<float>(weight));
            weight = cast<typename Weight::Element>(kept);
          } else {
            weight = detail::moved_average(average, decay, weight);
          }
        },
        next, std::as_const(average_));
    average_ = std::move(next);
    wide_ = std::move(next_wide);
    steps_.advance();
  }

  /// The averaged model.
  [[nodiscard]] const Model& model() const noexcept { return average_; }

  /// Names all of the averaged model and the number of steps, for checkpoints.
  template <class Visitor>
  void visit_state(Visitor&& visitor) {
    const Path root;
    detail::AverageVisitor<Visitor> each{{visitor}, detail::Counterparts(wide_)};
    detail::walk(Path(root, "average"), each, average_);
    steps_.visit_state(Path(root, "steps"), visitor);
  }

  ExponentialMovingAverageOptions options;  ///< May be changed between steps.

 private:
  static constexpr const char* name = "ExponentialMovingAverage";

  Model average_;
  detail::WideTensors wide_;  // The averages of the 16-bit tensors.
  detail::StepCount steps_;

 public:
  DDX_NO_DERIVATIVE(options, average_, wide_, steps_)
};

}  // namespace ddx::nn
