/// \file
/// A recorded graph made ready to run.

#pragma once

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/backend/evaluate.h"
#include "ddx/ir/graph.h"

#include "backend/graph_run.h"
#include "backend/lazy/fused_loop.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ddx::backend::lazy {

/// What it takes to run a graph: fewer operations, in loops where they go over the same elements.
class Plan {
 public:
  /// Where a result of the recorded graph comes from: the outcomes of a run, or a parameter.
  struct Source {
    bool is_parameter;
    std::size_t place;
  };

  /// Cost:    linear in the graph.
  explicit Plan(const ir::Graph& recorded);
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  [[nodiscard]] const ir::Graph& recorded() const noexcept { return recorded_; }
  /// By the number of the result.
  [[nodiscard]] const std::vector<Source>& sources() const noexcept { return sources_; }
  /// The loops that several operations run in.
  [[nodiscard]] const std::vector<FusedLoop>& loops() const noexcept { return loops_; }

  /// Computes the results of the recorded graph that are no parameters. As outcomes_of, which the
  /// results equal to the bit where rewrites do. `donated` as of GraphRun: parameters whose memory
  /// is the run's, to be written over by results or released after their last use. What fails,
  /// for want of memory too, is an outcome.
  [[nodiscard]] std::vector<Outcome> run(const Arguments& arguments, const Backend& backend,
                                         std::span<Buffer> donated = {}) const;

 private:
  struct Step {
    enum class Kind : std::uint8_t { Node, Alias, Loop };

    Kind kind;
    std::size_t number;  // Of the node, or among loops_.
  };

  void run_step(const Step& step, GraphRun& run) const;
  void plan_results();
  void plan_steps();

  ir::Graph recorded_;
  ir::Graph graph_;  // What is run.
  std::vector<Source> sources_;
  std::vector<Step> steps_;
  std::vector<FusedLoop> loops_;
};

}  // namespace ddx::backend::lazy
