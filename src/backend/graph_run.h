/// \file
/// The values of a graph while it runs.

#pragma once

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/backend/evaluate.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/kernel.h"

#include "backend/control_run.h"
#include "backend/launch.h"
#include "core/call_stack/origin.h"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <utility>
#include <vector>

namespace ddx::backend {

/// Where the operations of a graph were called, by the number of their node, while NaNs are
/// debugged; null where that is not known. May be shorter than the graph.
using Origins = std::span<const Origin* const>;

/// One run of a graph: where its values lie, what has failed, and when memory goes. Its caller
/// computes the nodes in their order, some by `run`, others by means of its own.
///
/// If memory runs out at a node, the node and all nodes that depend on it are stopped. Their
/// operands stay in memory, so a later run can compute them.
class GraphRun {
 public:
  /// Refers to all of them. `run_region` is to run the regions of nodes; without one, run_in_order
  /// does. `remembers`: which nodes are done, for those who stop between several.
  GraphRun(const ir::Graph& graph, const Arguments& arguments, const Backend& backend,
           RegionRunner run_region = nullptr, Origins origins = {}, bool remembers = false);

  /// Takes a buffer for each parameter; none where the span is empty. A parameter that has one lies
  /// in it, and the run may write over it or release it.
  void take(std::span<Buffer> donated) noexcept;

  /// Computes the results of a node by the kernel of the back end, where its operands are there;
  /// else they fail for the same reason, as they do where its check throws. Then releases. A node
  /// that is done is passed by.
  ///
  /// Throws:  UsageError where there is no kernel; EnvironmentError or std::bad_alloc where there
  ///          is no memory: then nothing has been released.
  void run(const ir::Node& node);

  /// Whether `run` has computed the node, or the caller has said that it is computed.
  [[nodiscard]] bool is_done(std::size_t node) const noexcept {
    return !is_done_.empty() && is_done_[node] != 0;
  }
  void mark_done(std::size_t node) noexcept {
    if (!is_done_.empty()) {
      is_done_[node] = 1;
    }
  }

  /// The same for a node that has been made ready, which may write over an operand.
  void run(const Launch& launch);

  /// Lets the result of a `reshape` lie where its operand lies. Then releases.
  void alias(const ir::Node& node);

  /// Lets a node have failed, and with it all that depends on it. Then releases.
  void fail(const ir::Node& node, const std::exception_ptr& error);

  /// Lets a node wait for this error to go away, and with it all that depends on it.
  void stop(const ir::Node& node, const std::exception_ptr& error) noexcept;
  /// The error that nodes wait for; null: none waits.
  [[nodiscard]] const std::exception_ptr& stopping_error() const noexcept { return stop_; }
  [[nodiscard]] bool is_stopped(ir::ValueId value) const noexcept {
    return stop_ != nullptr && errors_[ir::Graph::index(value)] == stop_;
  }
  /// Whether an operand of the node waits.
  [[nodiscard]] bool has_stopped_operand(const ir::Node& node) const noexcept;
  /// Begins another attempt. Returns the error that nodes have waited for, by which start_again
  /// knows them.
  [[nodiscard]] std::exception_ptr resume() noexcept { return std::exchange(stop_, nullptr); }
  /// Whether the node has waited for this error; its results then have none any more.
  [[nodiscard]] bool start_again(const ir::Node& node, const std::exception_ptr& error) noexcept;

  /// Gives the memory back that is not needed after the node.
  void release_after(const ir::Node& node);
  /// The same of a value that has just been read so many times.
  void release(ir::ValueId value, std::uint32_t reads) noexcept;

  /// Makes memory for a value.
  void allocate(ir::ValueId value);
  /// Lets a result that has no memory yet lie where an operand lies, and returns whether it does:
  /// the operand's memory must be the run's alone, of the same size, and be read `uses` times more.
  bool take_over(ir::ValueId result, ir::ValueId operand, std::size_t uses);
  /// Whether a value has memory, and elements in it.
  [[nodiscard]] bool is_there(ir::ValueId value) const noexcept {
    return data_[ir::Graph::index(value)] != nullptr;
  }
  [[nodiscard]] ops::View view(ir::ValueId value) const;

  /// Whether anything has failed.
  [[nodiscard]] bool has_errors() const noexcept { return any_error_; }
  /// Whether an operand of the node has no elements, because what makes it has failed.
  [[nodiscard]] bool has_failed_operand(const ir::Node& node) const;

  /// A result of the graph; where it lies in a parameter, a copy.
  [[nodiscard]] Outcome outcome(ir::ValueId value) const;

  [[nodiscard]] const Arguments& arguments() const noexcept { return arguments_; }
  [[nodiscard]] const Backend& backend() const noexcept { return backend_; }

 private:
  [[nodiscard]] std::exception_ptr error_of_operands(const ir::Node& node) const;
  void set_error(const ir::Node& node, const std::exception_ptr& error);
  void compute(const ir::Node& node);
  void compute(const Launch& launch);
  /// Lets the result lie where an operand lies, where it can.
  void overwrite_operand(std::size_t result, std::span<const Overwriting> overwritings);
  void compute_by_regions(const ir::Node& node);
  /// Throws:  UsageError where a result is not finite.
  void expect_finite(const ir::Node& node, const ops::Call& call) const;

  const ir::Graph& graph_;
  const Arguments& arguments_;
  const Backend& backend_;
  std::vector<const std::byte*> data_;
  std::vector<Buffer> buffers_;
  std::vector<std::exception_ptr> errors_;
  std::exception_ptr stop_;
  bool any_error_ = false;
  std::vector<std::uint8_t> is_done_;  // By the number of the node; empty: not remembered.
  std::vector<std::uint32_t> uses_;
  RegionRunner run_region_;
  Origins origins_;
  std::vector<ops::View> inputs_;
  std::vector<ops::View> outputs_;
};

/// Computes the results of a graph node by node, as outcomes_of does.
[[nodiscard]] std::vector<Outcome> run_in_order(const ir::Graph& graph, const Arguments& arguments,
                                                const Backend& backend,
                                                std::span<Buffer> donated = {});

}  // namespace ddx::backend
