/// \file
/// L-BFGS: the minimum of a function whose values and gradients are exact.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/nn/detail/lbfgs_run.h"
#include "ddx/nn/detail/minimum_flow.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/optimizers/lbfgs_report.h"
#include "ddx/nn/path.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/detail/control_values.h"
#include "ddx/tensor/tensor.h"

#include <concepts>
#include <cstdint>
#include <optional>
#include <utility>

namespace ddx::nn {

/// A minimum that lbfgs_minimum found. Its numbers are tensors, so that a function that is staged
/// can return it.
template <class Model>
struct LBFGSMinimum {
  Model model;
  Tensor<double> value;          ///< Of the model.
  Tensor<double> gradient_norm;  ///< Of its gradient.
  Tensor<double> iterations;     ///< Steps taken.
  Tensor<double> evaluations;    ///< How often value and gradient were computed.
  Tensor<double> outcome;        ///< The number of an LBFGSReport::Outcome.

  /// The same as numbers; observes them.
  ///
  /// Throws:  UsageError in a function that is being staged.
  [[nodiscard]] LBFGSReport report() const {
    return {.outcome = static_cast<LBFGSReport::Outcome>(outcome.item()),
            .value = value.item(),
            .gradient_norm = gradient_norm.item(),
            .iterations = static_cast<std::int64_t>(iterations.item()),
            .evaluations = static_cast<std::int64_t>(evaluations.item())};
  }

  DDX_NO_DERIVATIVE(model, value, gradient_norm, iterations, evaluations, outcome)
};

namespace detail {

/// Throws: UsageError where an option is out of its range.
inline void check_options(const char* name, const LBFGSOptions& options) {
  require_at_least(name, "max_iterations", options.max_iterations, 0);
  require_positive(name, "history", options.history);
  require_not_negative(name, "gradient_tolerance", options.gradient_tolerance);
  require_not_negative(name, "value_tolerance", options.value_tolerance);
}

/// The last state of a minimisation that observes its numbers.
///
/// Throws: UsageError where the first value or gradient is not finite.
template <class Model, class Evaluate>
LBFGSState<ObservedFlow, Model> observed_minimum(const char* name, const Model& model,
                                                 const Evaluate& evaluate,
                                                 const LBFGSOptions& options) {
  const LBFGSRun<ObservedFlow, Model, Evaluate> run({}, evaluate, options);
  const auto start = run.begin(model);
  if (!(start.goes_on > 0)) {
    throw UsageError(name, "the value or the gradient of the model given is not finite");
  }
  return run.run(start);
}

/// The device for which a minimisation is recorded: the lazy one of a tensor of the model, or that
/// of a function that is being staged. None where a parameter is a C++ number.
///
/// Throws: UsageError where there is such a parameter in a function that is being staged.
template <class Model>
std::optional<Device> minimum_device(const char* name, const Model& model) {
  const std::optional<Device> staged = ddx::detail::recording_device();
  std::optional<Device> device = staged;
  bool has_number = false;
  const auto look = [&]<class Part>(const Path& path, const Part& part) {
    if constexpr (std::floating_point<Part>) {
      has_number = true;
      if (staged) {
        throw UsageError(name, to_string(path) +
                                   " is a C++ number, which a graph cannot change: a tensor of "
                                   "rank 0 is required in a function that is staged");
      }
    } else if (!device && part.device().is_lazy()) {
      device = part.device();
    }
  };
  visit_parameters(look, model);
  return has_number ? std::nullopt : device;
}

/// The minimum that a state describes.
template <class Flow, class Model>
LBFGSMinimum<Model> minimum_of(LBFGSState<Flow, Model> state) {
  return {std::move(state.here.model),         Tensor<double>(state.here.value),
          Tensor<double>(state.gradient_norm), Tensor<double>(state.iterations),
          Tensor<double>(state.evaluations),   Tensor<double>(state.outcome)};
}

}  // namespace detail

/// Moves a model to where a function has a minimum. `evaluate(model)` returns what
/// value_with_gradient does; it is deterministic, thus of all samples and without dropout. It
/// observes values on every device; in a function that is staged, see lbfgs_minimum.
///
/// Throws:  UsageError where an option is out of its range, or the first value or gradient is not
///          finite; the model is unchanged then, as it is where `evaluate` throws.
/// Cost:    One or two evaluations for most iterations, and 2 history tangents of memory.
/// Source:  D. Liu, J. Nocedal, "On the limited memory BFGS method for large scale optimization",
///          1989.
/// Example:
///   const auto report = minimize_lbfgs(model, [&](const Line& line) {
///     return value_with_gradient([&](const Line& l) { return loss(l, data); }, line);
///   });
template <class Model, class Evaluate>
LBFGSReport minimize_lbfgs(Model& model, const Evaluate& evaluate,
                           const LBFGSOptions& options = {}) {
  constexpr const char* name = "minimize_lbfgs";
  detail::check_options(name, options);
  auto end = detail::observed_minimum(name, model, evaluate, options);
  model = std::move(end.here.model);
  return {.outcome = static_cast<LBFGSReport::Outcome>(end.outcome),
          .value = end.here.value,
          .gradient_norm = end.gradient_norm,
          .iterations = static_cast<std::int64_t>(end.iterations),
          .evaluations = static_cast<std::int64_t>(end.evaluations)};
}

/// The minimum that minimize_lbfgs finds, as a function of the model. On a device that records
/// operations (Device::is_lazy), and in a function that is staged, it is a `while_loop` of the
/// graph: nothing is observed, and a compiled minimisation is recorded once. There all parameters
/// of the model are tensors, and it lists its members as arguments of `compile` do; `evaluate` is
/// recorded three times. Elsewhere it is a loop of C++.
///
/// Throws:  UsageError as minimize_lbfgs, but of a graph the outcome is NotFinite instead; in a
///          function that is staged where a parameter is a C++ number.
/// Cost:    As minimize_lbfgs, and in a graph some 20 us more for each iteration.
/// Example:
///   const auto fit = compile([&](const Line& start, const Tensor<float>& data) {
///     return lbfgs_minimum(start, [&](const Line& line) {
///       return value_with_gradient([&](const Line& l) { return loss(l, data); }, line);
///     });
///   });
///   const Line line = fit(Line(), data).model;
template <class Model, class Evaluate>
[[nodiscard]] LBFGSMinimum<Model> lbfgs_minimum(Model model, const Evaluate& evaluate,
                                                const LBFGSOptions& options = {}) {
  constexpr const char* name = "lbfgs_minimum";
  detail::check_options(name, options);
  const std::optional<Device> device = detail::minimum_device(name, model);
  if (!device) {
    return detail::minimum_of(detail::observed_minimum(name, model, evaluate, options));
  }
  move_to(model, *device);
  const detail::LBFGSRun<detail::RecordedFlow, Model, Evaluate> run({*device}, evaluate, options);
  return detail::minimum_of(run.run(run.begin(model)));
}

}  // namespace ddx::nn
