/// \file
/// One run of a plan, which goes on where it has stopped.

#pragma once

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/backend/evaluate.h"
#include "ddx/backend/span_recording.h"

#include "backend/graph_run.h"
#include "backend/lazy/counters.h"

#include <cstddef>
#include <exception>
#include <memory>
#include <span>

namespace ddx::backend::lazy {

class Plan;

/// A run of the steps of a plan. A step that has no memory stops, and with it the steps that depend
/// on it; their operands stay, so that they can be run later. Each step runs once: none writes over
/// an operand and stops then.
class PlanRun {
 public:
  /// Refers to all of them, and to what the arguments refer to.
  PlanRun(const Plan& plan, const Arguments& arguments, const Backend& backend,
          Origins origins = {});
  PlanRun(const PlanRun&) = delete;
  PlanRun& operator=(const PlanRun&) = delete;

  /// As GraphRun::take.
  void take(std::span<Buffer> donated) noexcept { run_.take(donated); }

  /// Runs the steps that have not been run yet.
  ///
  /// Throws:  std::bad_alloc where spans are recorded: then none has been run.
  void go_on();

  /// Why steps have not been run; null: all have been.
  [[nodiscard]] const std::exception_ptr& stopping_error() const noexcept {
    return run_.stopping_error();
  }
  /// Whether a result of the plan's graph, by its number, waits for a step.
  [[nodiscard]] bool is_stopped(std::size_t result) const noexcept;
  /// As GraphRun::outcome. Of a result that waits, the error that it waits for.
  [[nodiscard]] Outcome outcome(std::size_t result) const;

  /// What the steps have taken, in regions too.
  [[nodiscard]] const RunCost& cost() const noexcept { return cost_; }

 private:
  /// `kernel`: as what it is recorded; null: not.
  void run_step(std::size_t number, const std::shared_ptr<const KernelInfo>& kernel);
  /// Whether a step is left, in an attempt after one that ended with this error.
  [[nodiscard]] bool is_left(std::size_t number, const std::exception_ptr& error) noexcept;
  [[nodiscard]] RegionRunner region_runner();

  const Plan& plan_;
  const Arguments arguments_;
  RunCost cost_;
  GraphRun run_;
  bool has_begun_ = false;
};

}  // namespace ddx::backend::lazy
