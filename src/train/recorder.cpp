#include "ddx/train/recorder.h"

#include "ddx/core/error.h"
#include "ddx/train/events.h"
#include "ddx/train/loop.h"
#include "ddx/train/record.h"
#include "ddx/train/statistic.h"

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ddx::train {

/// What the recorder and its events share.
struct Recorder::State {
  RecorderOptions options;
  std::vector<Record> history = {};
  Record next = {};

  void reset() {
    for (const auto& statistic : options.statistics) {
      statistic.reset();
    }
  }

  void accumulate(const Loop& loop) {
    for (const auto& statistic : options.statistics) {
      statistic.accumulate(loop);
    }
  }

  void measure(const std::string& prefix) {
    for (const auto& statistic : options.statistics) {
      next.values.emplace_back(prefix + statistic.name, statistic.measure());
    }
  }

  void finish(const Loop& loop) {
    next.epoch = loop.epoch();
    next.step = loop.step();
    history.push_back(std::exchange(next, {}));
    for (const auto& sink : options.sinks) {
      sink(history.back());
    }
  }
};

Recorder::Recorder(RecorderOptions options)
    : state_(std::make_shared<State>(State{.options = std::move(options)})) {
  std::set<std::string> names;
  for (const auto& statistic : state_->options.statistics) {
    if (!names.insert(statistic.name).second) {
      throw UsageError("Recorder", "two statistics are named \"" + statistic.name + "\"");
    }
  }
  if (names.empty()) {
    throw UsageError("Recorder", "no statistics to record");
  }
}

Events Recorder::events() const {
  Events events;
  if (state_->options.trigger == RecorderOptions::Trigger::BatchEnd) {
    events.batch_ended = [state = state_](Loop& loop) {
      if (loop.phase() == Phase::Training) {
        state->reset();
        state->accumulate(loop);
        state->measure("");
        state->finish(loop);
      }
    };
    return events;
  }
  events.epoch_begins = [state = state_](Loop&) { state->next = {}; };
  events.training_begins = [state = state_](Loop&) { state->reset(); };
  events.validation_begins = [state = state_](Loop&) { state->reset(); };
  events.batch_ended = [state = state_](Loop& loop) { state->accumulate(loop); };
  events.training_ended = [state = state_](Loop&) { state->measure(""); };
  events.validation_ended = [state = state_](Loop&) { state->measure("validation_"); };
  events.epoch_ended = [state = state_](Loop& loop) { state->finish(loop); };
  return events;
}

const std::vector<Record>& Recorder::history() const noexcept {
  return state_->history;
}

}  // namespace ddx::train
