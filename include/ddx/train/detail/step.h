/// \file
/// One batch of a training or a validation.

#pragma once

#include "ddx/ad/operators.h"
#include "ddx/ad/without_derivative.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/detail/loss_value.h"
#include "ddx/nn/detail/parameter_arithmetic.h"
#include "ddx/nn/visit.h"
#include "ddx/train/detail/borrowed.h"
#include "ddx/train/detail/loop_control.h"
#include "ddx/train/detail/replica.h"
#include "ddx/train/position.h"
#include "ddx/train/supervised.h"
#include "ddx/train/training.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddx::train::detail {

/// Throws: UsageError where a loss is infinite or not a number.
void check_loss(double loss, const Position& position);

/// Evaluates a loss that is one function of model and batch.
template <class Model, class Batch, class Objective>
struct LossEvaluation {
  const Batch& batch;
  const Objective& objective;

  [[nodiscard]] Borrowed input() const { return Borrowed(); }
  [[nodiscard]] Borrowed target() const { return Borrowed(); }
  [[nodiscard]] Borrowed output() const { return Borrowed(); }

  [[nodiscard]] double loss(const Model& model) {
    return nn::detail::loss_value(objective(model, batch));
  }
  [[nodiscard]] auto loss_with_gradient(const Model& model) {
    // Not through `this`: the compiler sees what is captured.
    const auto& objective_of = objective;
    const auto& batch_of = batch;
    return value_with_gradient(
        [&](const Model& current) { return objective_of(current, batch_of); }, model);
  }
};

/// Evaluates a Supervised objective on a batch; keeps the output of the model.
template <class Model, class Batch, class Input, class Target, class Loss>
struct LossEvaluation<Model, Batch, Supervised<Input, Target, Loss>> {
  using InputOfBatch = std::invoke_result_t<const Input&, const Batch&>;
  using TargetOfBatch = std::invoke_result_t<const Target&, const Batch&>;
  using Output = std::decay_t<decltype(std::declval<const Model&>()(std::declval<InputOfBatch>()))>;

  LossEvaluation(const Batch& batch, const Supervised<Input, Target, Loss>& objective)
      : batch_input(std::invoke(objective.input, batch)),
        batch_target(std::invoke(objective.target, batch)),
        batch_loss(objective.loss) {}

  [[nodiscard]] Borrowed input() const { return Borrowed(batch_input); }
  [[nodiscard]] Borrowed target() const { return Borrowed(batch_target); }
  [[nodiscard]] Borrowed output() const { return Borrowed(last_output); }

  [[nodiscard]] double loss(const Model& model) {
    last_output = model(batch_input);
    return nn::detail::loss_value(batch_loss(last_output, batch_target));
  }
  [[nodiscard]] auto loss_with_gradient(const Model& model) {
    // Not through `this`: the compiler sees what is captured.
    const auto& input_value = batch_input;
    const auto& target_value = batch_target;
    const auto& loss_of = batch_loss;
    auto& kept = last_output;
    return value_with_gradient(
        [&](const Model& current) {
          const Output output = current(input_value);
          kept = without_derivative(output);
          return loss_of(output, target_value);
        },
        model);
  }

  // References where the objective gives parts of the batch.
  InputOfBatch batch_input;
  TargetOfBatch batch_target;
  const Loss& batch_loss;
  Output last_output{};
};

/// Takes one step unless it is cancelled. Where this throws, no step was taken.
template <class Model, class Optimizer, class Evaluation>
void take_step(Training<Model, Optimizer>& training, Evaluation& evaluation, RandomKey key,
               LoopControl& control, const BatchShare& share) {
  Model model = training.model;  // Shares its tensors, so that this costs no copy of them.
  nn::begin_step(model, share.is_one_of_many()
                            ? key.fold_in(static_cast<std::uint64_t>(share.group.rank()))
                            : key);
  auto [value, gradient] = evaluation.loss_with_gradient(model);
  double number = nn::detail::loss_value(value);
  if (share.is_one_of_many()) {
    std::vector<double> numbers{number};
    average_with(numbers, std::as_const(model), gradient, share.group, {.weight = share.weight()});
    number = numbers[0];
  }
  // Here the loss is observed, before the update is recorded, which joins the next step's program.
  // An update in this one would be safe only while the tensors before it are kept, so that none is
  // donated: a step of Adam on 1.9 M parameters (batch of 16) then takes 2.1 ms by XLA and 1.4 ms
  // lazily, instead of 1.8 and 1.1 (Zen 5).
  check_loss(number, training.position);
  control.set_loss(number, evaluation.output(), Borrowed(gradient));
  if (control.goes_on(Scope::Batch)) {
    control.begin_update();
  }
  if (!control.goes_on(Scope::Batch)) {
    return;
  }
  // The callbacks could change the gradient: what the optimiser would refuse is refused here,
  // before the model moves on.
  nn::visit_parameters(
      [](const nn::Path& path, const auto& weight, const auto& slope) {
        nn::detail::check_gradient("fit", path, weight, slope);
      },
      std::as_const(model), std::as_const(gradient));
  nn::end_step(model);
  if (share.is_one_of_many()) {
    average_state(model, share);
  }
  // The optimiser writes in place once the tensors are not shared any more.
  training.model = std::move(model);
  training.optimizer.update(training.model, gradient);
  control.end_update();
}

/// Evaluates the loss of one batch without a step.
template <class Model, class Evaluation>
void evaluate_batch(const Model& model, Evaluation& evaluation, LoopControl& control,
                    const BatchShare& share) {
  double loss = evaluation.loss(model);
  if (share.is_one_of_many()) {
    loss = averaged_numbers({loss}, share.group, share.weight())[0];
  }
  control.set_loss(loss, evaluation.output(), Borrowed());
}

}  // namespace ddx::train::detail
