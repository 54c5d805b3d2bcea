/// \file
/// Who runs recorded graphs.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/core/device.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/check.h"

#include "backend/lazy/trace_inputs.h"

#include <exception>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace ddx::backend {

class Producer;

namespace lazy {

/// A recorded graph that an executor has made ready to run.
class PreparedGraph {
 public:
  explicit PreparedGraph(ir::Graph recorded) : recorded_(std::move(recorded)) {}
  PreparedGraph(const PreparedGraph&) = delete;
  PreparedGraph& operator=(const PreparedGraph&) = delete;
  virtual ~PreparedGraph() = default;

  [[nodiscard]] const ir::Graph& recorded() const noexcept { return recorded_; }

 private:
  ir::Graph recorded_;
};

/// A run that has begun.
class ResumableRun {
 public:
  ResumableRun() = default;
  ResumableRun(const ResumableRun&) = delete;
  ResumableRun& operator=(const ResumableRun&) = delete;
  virtual ~ResumableRun() = default;

  /// Computes what has not been computed, and sets the results, or their errors, except for those
  /// that have to wait for memory. Returns why those wait; null: there are none.
  [[nodiscard]] virtual std::exception_ptr go_on() noexcept = 0;
};

/// Runs the graphs that the traces of a device record. Lives for ever; any thread may use it.
class Executor {
 public:
  /// `residency` is the producer of elements that lie on the device; null: there is none, all
  /// elements are in the memory of the process.
  Executor(Device device, const Producer* residency) noexcept
      : device_(device), residency_(residency) {}
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  [[nodiscard]] Device device() const noexcept { return device_; }
  [[nodiscard]] const Producer* residency() const noexcept { return residency_; }

  /// Makes a graph ready. PlanCache keeps what it returns, by structure.
  ///
  /// Throws:  std::bad_alloc, EnvironmentError.
  [[nodiscard]] virtual std::shared_ptr<const PreparedGraph> prepare(
      const ir::Graph& recorded) const = 0;

  /// A run of a graph that it has made ready, where runs can wait for memory; else null. As `run`;
  /// all that it refers to outlives the run.
  ///
  /// Throws:  std::bad_alloc, EnvironmentError; `given` is then as before.
  [[nodiscard]] virtual std::unique_ptr<ResumableRun> begin(
      const std::shared_ptr<const PreparedGraph>& /*graph*/, TraceInputs& /*given*/,
      std::span<const ops::Check> /*checks*/, std::span<Block* const> /*results*/) const {
    return nullptr;
  }

  /// Runs a graph that it has made ready, and sets its results or their errors, whose
  /// blocks these are. Where an array of `given` has one owner, its memory is the run's.
  ///
  /// Throws:  the error of all results that have neither elements nor an error by then.
  virtual void run(const PreparedGraph& graph, TraceInputs& given,
                   std::span<const ops::Check> checks, std::span<Block* const> results) const = 0;

 protected:
  ~Executor() = default;

 private:
  Device device_;
  const Producer* residency_;
};

/// The executor of a lazy device, which is opened where it has to be.
///
/// Throws:  EnvironmentError where it cannot be opened.
[[nodiscard]] const Executor& executor_of(Device device);

}  // namespace lazy
}  // namespace ddx::backend
