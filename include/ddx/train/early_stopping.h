/// \file
/// Ending a training that gets no better.

#pragma once

#include "ddx/train/events.h"
#include "ddx/train/loop.h"
#include "ddx/train/monitor.h"
#include "ddx/train/training.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace ddx::train {

/// When to give up.
struct EarlyStoppingOptions {
  Monitor monitor = {};
  std::int64_t patience = 3;  ///< Epochs in a row without a better value after which it ends.
  bool restore_best = true;   ///< Whether the model becomes that of the best epoch at the end.
};

namespace detail {

/// Throws: UsageError where the patience is below 1.
void check_patience(std::int64_t patience);

}  // namespace detail

/// Cancels the fit if the watched value stops improving. The best model is restored then, or after
/// the last epoch, but not if something else has stopped the fit, which may be resumed. Borrows the
/// training; the events share the observed values. A resumed fit starts over.
///
/// Throws:  UsageError where the patience is below 1, or min_delta is negative.
/// Example:
///   fit(training, Sets{digits.training, digits.test}, objective, options,
///       {stop_early(training, {.patience = 5})});
template <class Model, class Optimizer>
[[nodiscard]] Events stop_early(Training<Model, Optimizer>& training,
                                const EarlyStoppingOptions& options = {}) {
  detail::check_patience(options.patience);
  struct State {
    EarlyStoppingOptions options;
    Best best;
    std::optional<Model> model = std::nullopt;
    std::int64_t without = 0;  // Epochs since the best one.
  };
  const auto state =
      std::make_shared<State>(State{.options = options, .best = Best(options.monitor)});
  return {.epoch_ended =
              [state, &training](Loop& loop) {
                if (state->best.look(loop)) {
                  state->without = 0;
                  if (state->options.restore_best) {
                    state->model = training.model;  // Shares its tensors until they change.
                  }
                } else if (++state->without >= state->options.patience) {
                  loop.cancel(Scope::Fit);
                }
              },
          .fit_ended =
              [state, &training](Loop& loop) {
                const bool is_over = state->without >= state->options.patience ||
                                     loop.position().epoch >= loop.epochs();
                if (is_over && state->model) {
                  training.model = *state->model;
                }
              }};
}

}  // namespace ddx::train
