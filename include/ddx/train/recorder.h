/// \file
/// Measures a training while it runs.

#pragma once

#include "ddx/train/events.h"
#include "ddx/train/loop.h"
#include "ddx/train/record.h"
#include "ddx/train/statistic.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ddx::train {

/// How a recorder measures.
struct RecorderOptions {
  /// When a record is made: after each epoch, over its training and its validation, or after each
  /// training batch, over this batch alone.
  enum class Trigger : std::uint8_t { EpochEnd, BatchEnd };

  std::vector<Statistic> statistics = {loss_statistic()};
  Trigger trigger = Trigger::EpochEnd;
  std::vector<Sink> sinks = {};  ///< Each gets every record, in this order.
};

/// Measures statistics and makes records of them. Those of validation are named "validation_loss",
/// and so on. After a resumption in the middle of an epoch, that epoch's record covers the steps
/// since then. Copies share the history.
///
/// Example:
///   Recorder recorder({.statistics = {loss_statistic(), statistic("accuracy", Accuracy())},
///                      .sinks = {log.sink()}});
///   fit(training, Sets{digits.training, digits.test}, objective, options, {recorder.events()});
class Recorder {
 public:
  /// Throws: UsageError where there are no statistics, or two of one name.
  explicit Recorder(RecorderOptions options = {});

  /// What to give to the loop.
  [[nodiscard]] Events events() const;

  /// All records so far.
  [[nodiscard]] const std::vector<Record>& history() const noexcept;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace ddx::train
