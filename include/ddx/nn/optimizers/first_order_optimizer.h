/// \file
/// What all optimisers that step along a gradient have in common.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/ad/tangent.h"
#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/nn/detail/parameter_arithmetic.h"
#include "ddx/nn/detail/parameter_state.h"
#include "ddx/nn/detail/step_count.h"
#include "ddx/nn/detail/wide_parameters.h"
#include "ddx/nn/optimizers/parameter_group.h"
#include "ddx/nn/path.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/tensor.h"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddx::nn {

/// What the rules of optimisers do unless they say otherwise: what a rule keeps for a parameter
/// begins as zeros of the parameter's shape.
struct UpdateRule {
  /// The first value of all elements of state number `state`.
  template <class Options>
  static double initial_value(const Options& /*options*/, std::size_t /*state*/) {
    return 0;
  }

  /// The shape of state number `state` for a parameter; rank 0 where these options do not use it.
  template <class Options>
  static Shape state_shape(const Options& /*options*/, std::size_t /*state*/,
                           const Shape& parameter) {
    return parameter;
  }
};

/// An optimiser that changes each parameter of a model by a rule, from the parameter's gradient and
/// what the rule keeps for it.
///
/// A rule derives from UpdateRule and has: the type `Options`; `name`, for messages; `state_names`,
/// an array of the names of what it keeps; `check(options)`, which throws a UsageError; a
/// constructor from options and the number of the step (a RuntimeNumber), the first being 1; and
/// `step(weight, gradient, states...)` for parameters that are tensors and for those that are
/// numbers. Numbers that are the same for all parameters belong in the constructor: parameters
/// whose options are equal share a rule, if options have ==.
///
/// A parameter whose gradient is a symbolic zero, or that has no elements, is left alone. The step
/// of a 16-bit tensor is computed in f32 and rounded once, and what is kept for it is in f32:
/// squares and epsilons may be 0 in its own type.
template <class Model, class Rule>
class FirstOrderOptimizer {
 public:
  using Tangent = TangentOf<Model>;
  using Options = typename Rule::Options;

  /// Throws:  UsageError where an option is out of its range.
  explicit FirstOrderOptimizer(const Model& model, const Options& given) : options(given) {
    Rule::check(options);
    for (std::size_t i = 0; i < state_count; ++i) {
      states_[i] = detail::zeros_shaped_like(model);
      visit_parameters(
          [&](const Path&, auto& state, const auto& parameter) {
            const Shape shape = Rule::state_shape(options, i, detail::shape_of(parameter));
            const double value = Rule::initial_value(options, i);
            if constexpr (detail::NarrowParameter<decltype(state)>) {
              state = std::decay_t<decltype(state)>();  // Its counterpart is kept instead.
              detail::begin_state(wide_states_[i].emplace_back(), parameter, shape, value);
            } else {
              detail::begin_state(state, parameter, shape, value);
            }
          },
          states_[i], model);
    }
  }

  /// Takes one step.
  ///
  /// Throws:  UsageError where an option is out of its range, or a gradient has another shape or
  ///          device than its parameter, or the model is not of the form that the optimiser was
  ///          made for. Nothing is changed then.
  void update(Model& model, const Tangent& gradient) {
    update_by(checked_rules(model, gradient, each_state), model, gradient, each_state);
  }

  /// The options of the parameter at a path: `options`, as the groups adjust them in turn.
  ///
  /// Throws:  UsageError where a group lacks one of its functions.
  [[nodiscard]] Options options_of(const std::string& path) const {
    Options own = options;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      detail::check_group(Rule::name, i, groups[i].contains && groups[i].adjust);
      if (groups[i].contains(path)) {
        groups[i].adjust(own);
      }
    }
    return own;
  }

  /// The number of steps taken.
  ///
  /// Throws:  UsageError where a function is being staged whose argument the optimiser is.
  [[nodiscard]] std::int64_t steps() const { return steps_.taken(); }

  /// Moves what is kept to a device, after the model.
  void move_to(Device device) {
    for (auto& state : states_) {
      nn::move_to(state, device);
    }
    for (auto& tensors : wide_states_) {
      for (auto& tensor : tensors) {
        tensor = tensor.to(device);
      }
    }
  }

  /// Names what is kept for each parameter and the number of steps, for checkpoints.
  template <class Visitor>
  void visit_state(Visitor&& visitor) {
    const Path root;
    for (std::size_t i = 0; i < state_count; ++i) {
      detail::Counterparts wide(wide_states_[i]);
      const auto visit = [&](const Path& path, auto& state) { visitor(path, wide.next(state)); };
      detail::ParameterVisitor<decltype(visit)> each{visit};
      detail::walk(Path(root, Rule::state_names[i]), each, states_[i]);
    }
    steps_.visit_state(Path(root, "steps"), visitor);
  }

  Options options;                              ///< May be changed between steps.
  std::vector<ParameterGroup<Options>> groups;  ///< Where options differ; the later ones win.

 private:
  static constexpr std::size_t state_count = Rule::state_names.size();
  static constexpr std::make_index_sequence<state_count> each_state{};

  /// The rules of one step, one for all parameters with the same options.
  class StepRules {
   public:
    explicit StepRules(RuntimeNumber step) : step_(std::move(step)) {}

    /// Adds the next parameter, or all of them.
    void add(const Options& own) {
      std::size_t number = options_.size();
      if constexpr (std::equality_comparable<Options>) {
        number = static_cast<std::size_t>(std::ranges::find(options_, own) - options_.begin());
      }
      if (number == options_.size()) {
        Rule::check(own);
        options_.push_back(own);
        rules_.emplace_back(own, step_);
      }
      numbers_.push_back(number);
    }
    [[nodiscard]] const Rule& of(std::size_t parameter) const {
      return rules_[numbers_[parameter]];
    }

   private:
    RuntimeNumber step_;
    std::vector<Options> options_;
    std::vector<Rule> rules_;  // Of these options.
    std::vector<std::size_t> numbers_;
  };

  /// Of each parameter where there are groups; else only the first, which is that of all.
  template <std::size_t... I>
  StepRules checked_rules(const Model& model, const Tangent& gradient,
                          std::index_sequence<I...>) const {
    StepRules rules(steps_.next());
    if (groups.empty()) {
      rules.add(options);
    }
    std::array wide{detail::Counterparts(wide_states_[I])...};
    visit_parameters(
        [&](const Path& path, const auto& weight, const auto& slope, const auto&... states) {
          detail::check_gradient(Rule::name, path, weight, slope);
          (detail::check_state(Rule::name, path, weight,
                               Rule::state_shape(options, I, detail::shape_of(weight)),
                               wide[I].next(states)),
           ...);
          if (!groups.empty()) {
            rules.add(options_of(to_string(path)));
          }
        },
        model, gradient, states_[I]...);
    return rules;
  }

  template <std::size_t... I>
  void update_by(const StepRules& rules, Model& model, const Tangent& gradient,
                 std::index_sequence<I...>) {
    steps_.advance();
    std::size_t number = 0;
    std::array wide{detail::Counterparts(wide_states_[I])...};
    visit_parameters(
        [&](const Path&, auto& weight, const auto& slope, auto&... states) {
          step(rules.of(groups.empty() ? 0 : number++), weight, slope, wide[I].next(states)...);
        },
        model, gradient, states_[I]...);
  }

  template <class Parameter, class... States>
  static void step(const Rule& rule, Parameter& weight, const Parameter& slope, States&... states) {
    if (detail::is_absent(slope) || detail::is_empty(weight)) {
      return;
    }
    if constexpr (detail::NarrowParameter<Parameter>) {
      Tensor<float> wide = cast<float>(weight);
      rule.step(wide, cast<float>(slope), states...);
      weight = cast<typename Parameter::Element>(wide);
    } else {
      rule.step(weight, slope, states...);
    }
  }

  std::array<Tangent, state_count> states_;
  std::array<detail::WideTensors, state_count> wide_states_;  // Of the 16-bit tensors.
  detail::StepCount steps_;

 public:
  DDX_NO_DERIVATIVE(options, groups, states_, wide_states_, steps_)
};

}  // namespace ddx::nn
