/// \file
/// A run of a program whose checks have not been read yet.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/scalars.h"
#include "ddx/ops/check.h"
#include "ddx/ops/site.h"

#include "backend/lazy/trace_inputs.h"
#include "backend/pjrt/device_buffer.h"

#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace ddx::backend::pjrt {

/// Knows, when its program is done, which of its results have no meaning: those that depend on
/// elements that an operation cannot work with, in this run or in an earlier one. The plugin
/// reports only that there are such elements; what is wrong with them is asked of the graph's own
/// checks, on the host. May be used from any thread.
class StartedRun {
 public:
  /// A parameter that is the result of a run which was not settled.
  struct Source {
    std::size_t parameter;
    std::shared_ptr<StartedRun> run;
    std::size_t result;
  };
  /// What is needed to ask a check.
  struct Evidence {
    /// Those that were donated are empty buffers, and so is filter state that was not: runs that
    /// have not been settled would keep a value of it each.
    std::vector<lazy::TraceInputs::Array> arrays;
    std::vector<ir::ScalarValue> scalars;
    std::vector<ops::Check> checks;
  };

  /// `graph` is what runs; `flags` are a bool for each of its checks, if it has any.
  StartedRun(std::shared_ptr<const ir::Graph> graph, std::optional<DeviceBuffer> flags,
             Evidence evidence, std::vector<Source> sources);

  /// Why a result has no meaning; null where it has one. Waits for the run.
  [[nodiscard]] std::exception_ptr error_of(std::size_t result);

  /// Whether it is known what has become of it, without waiting.
  [[nodiscard]] bool is_settled();

  /// How many runs that have not been settled it comes after, one after the other, at most.
  [[nodiscard]] std::size_t depth() const noexcept { return depth_; }

  /// An operation of it with a check, whose line in the user's program is known.
  [[nodiscard]] const std::optional<ops::Site>& site() const noexcept { return site_; }

 private:
  void settle();
  [[nodiscard]] std::exception_ptr error_of_check(std::size_t check) const;
  [[nodiscard]] std::vector<std::exception_ptr> errors_of_checks(bool& any) const;

  std::mutex mutex_;
  std::atomic<bool> settled_{false};
  std::shared_ptr<const ir::Graph> graph_;
  std::optional<DeviceBuffer> flags_;
  Evidence evidence_;
  std::vector<Source> sources_;
  std::size_t depth_ = 0;
  std::optional<ops::Site> site_;
  std::vector<std::exception_ptr> errors_;  // Of each result; empty: none has one.
};

}  // namespace ddx::backend::pjrt
