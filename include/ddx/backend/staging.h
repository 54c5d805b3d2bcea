/// \file
/// Functions of arrays as graphs: recorded on placeholders, and run later.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/operation.h"
#include "ddx/ir/scalars.h"
#include "ddx/ops/check.h"
#include "ddx/ops/kernel.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <vector>

namespace ddx::backend {

/// What a function does, as a graph: its parameters are first the arguments, then the arrays that
/// the function has captured, which are kept here with the numbers of the recording.
struct StagedGraph {
  ir::Graph graph;
  std::size_t argument_count = 0;
  std::vector<Buffer> captured;
  std::vector<ir::ScalarValue> scalars;
  std::vector<ops::Check> checks;
};

/// What a run of a staged graph has in the place of the numbers and arrays of the recording.
struct StagedValues {
  std::vector<ir::ScalarValue> scalars;
  std::vector<Buffer> captured;
};

/// While it exists, what this thread does on lazy devices is recorded, and never run: a function
/// that is called with the placeholders is staged. They nest.
///
/// To look at an element of what is recorded, in whatever way and on whatever thread, is a
/// UsageError for who looks, and everything that is recorded has failed with it.
class StagingScope {
 public:
  /// `operation` opens the messages of errors; `device` is what the placeholders are of.
  ///
  /// Throws:  EnvironmentError or std::bad_alloc where there is no memory, or where the device
  ///          cannot be opened.
  StagingScope(std::string operation, Device device, std::span<const ir::Type> arguments);
  StagingScope(const StagingScope&) = delete;
  StagingScope& operator=(const StagingScope&) = delete;
  ~StagingScope();

  /// The placeholders of the arguments, in order: of a lazy device.
  [[nodiscard]] const std::vector<Buffer>& placeholders() const noexcept { return placeholders_; }

  /// What has been recorded for some arrays.
  ///
  /// Throws:  what one of them has failed with.
  [[nodiscard]] StagedGraph finish(std::span<const ops::View> results);

 private:
  class Recorder;

  std::unique_ptr<Recorder> recorder_;
  std::vector<Buffer> placeholders_;
};

/// The graph for many examples at once (ir::vmapped): arguments that are mapped, and all results,
/// have one axis more, in front. What has been captured is the same for all.
///
/// Throws:  as ir::vmapped.
[[nodiscard]] StagedGraph vmapped(const StagedGraph& staged, const std::vector<bool>& arguments,
                                  Shape::Extent examples);

/// Does what a graph says on a lazy device, as if its operations were called one after the other:
/// it is recorded, also in a StagingScope. Returns the results, which are lazy. Arguments have the
/// types of the graph's parameters (else InternalError) and lie in memory of any device of this
/// process.
///
/// Throws:  EnvironmentError or std::bad_alloc where there is no memory.
[[nodiscard]] std::vector<Buffer> record_staged(Device device, const StagedGraph& staged,
                                                std::span<const ops::View> arguments);

/// Calls an operation with regions (ir::ControlFlow) on a lazy device, which is recorded, also in a
/// StagingScope. The arguments of the regions are the operands, except for the condition of a cond,
/// and with slices for those of a scan; captures are added after them, as invariants. Returns the
/// lazy results. The regions must satisfy ir::verify (otherwise the run throws InternalError).
///
/// Throws:  EnvironmentError or std::bad_alloc where there is no memory.
[[nodiscard]] std::vector<Buffer> record_control(Device device, ir::Control control,
                                                 std::span<const StagedGraph> regions,
                                                 std::span<const ops::View> operands,
                                                 const ir::ScanFields& scan,
                                                 const std::source_location& where);

/// Whether this thread is in a StagingScope.
[[nodiscard]] bool is_staging() noexcept;
/// The device of the innermost one; none outside.
[[nodiscard]] std::optional<Device> staging_device() noexcept;

/// A staged graph made ready to run on the lazy device.
class StagedProgram {
 public:
  /// Cost:    linear in the graph, where none of its structure has been made ready.
  explicit StagedProgram(StagedGraph staged);

  /// Runs it at once and returns the results. Arguments have the types of the graph's parameters
  /// (else InternalError), and are in memory of any device of this process; they are awaited. So
  /// are the arrays of `values`, which are like those of the staged graph. Any number of threads
  /// may run it. `donated` has a buffer for each argument, or is empty. A buffer
  /// there contains the argument; it is moved from, and without another owner, results may reuse
  /// its memory.
  ///
  /// Throws:  what an argument has failed with, or the first of the results.
  [[nodiscard]] std::vector<Buffer> run(std::span<const ops::View> arguments, StagedValues values,
                                        std::span<Buffer> donated = {}) const;

  [[nodiscard]] const StagedGraph& staged() const noexcept { return staged_; }

 private:
  class Ready;

  StagedGraph staged_;
  std::shared_ptr<const Ready> ready_;
};

}  // namespace ddx::backend
