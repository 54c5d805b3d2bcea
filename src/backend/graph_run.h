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

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <vector>

namespace ddx::backend {

struct Origin;

/// Where the operations of a graph were called, by the number of their node, while NaNs are
/// debugged; null where that is not known. May be shorter than the graph.
using Origins = std::span<const Origin* const>;

/// One run of a graph: where its values lie, what has failed, and when memory goes. Whoever runs it
/// computes the nodes in their order, some by `run`, others by means of its own.
class GraphRun {
 public:
  /// Refers to all of them. `donated` has a buffer for each parameter, or is empty: where there is
  /// one, the parameter lies in it, and the run may write over it or release it; it is taken.
  /// `run_region` is to run the regions of nodes; without one, run_in_order does.
  GraphRun(const ir::Graph& graph, const Arguments& arguments, const Backend& backend,
           std::span<Buffer> donated = {}, RegionRunner run_region = nullptr, Origins origins = {});

  /// Computes the results of a node by the kernel of the back end, where its operands are there;
  /// else they fail for the same reason, as they do where its check throws. Then releases.
  ///
  /// Throws:  UsageError where there is no kernel; EnvironmentError where there is no memory.
  void run(const ir::Node& node);

  /// The same for a node that has been made ready, which may write over an operand.
  void run(const Launch& launch);

  /// Lets the result of a `reshape` lie where its operand lies. Then releases.
  void alias(const ir::Node& node);

  /// Lets a node have failed, and with it all that depends on it. Then releases.
  void fail(const ir::Node& node, const std::exception_ptr& error);

  /// Gives the memory back that nobody needs after the node.
  void release_after(const ir::Node& node);
  /// The same of a value that has just been read so many times.
  void release(ir::ValueId value, std::uint32_t reads) noexcept;

  /// Makes memory for a value.
  void allocate(ir::ValueId value);
  /// Lets a result that has no memory yet lie where an operand lies, and tells whether it does: the
  /// operand's memory must be the run's alone, of the same size, and be read `uses` times more.
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
  void overwrite_operand(const Launch& launch);
  void compute_by_regions(const ir::Node& node);
  /// Throws:  UsageError where a result is not finite.
  void expect_finite(const ir::Node& node, const ops::Call& call) const;

  const ir::Graph& graph_;
  const Arguments& arguments_;
  const Backend& backend_;
  std::vector<const std::byte*> data_;
  std::vector<Buffer> buffers_;
  std::vector<std::exception_ptr> errors_;
  bool any_error_ = false;
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
