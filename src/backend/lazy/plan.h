/// \file
/// A recorded graph made ready to run.

#pragma once

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/backend/evaluate.h"
#include "ddx/backend/span_recording.h"
#include "ddx/ir/cost.h"
#include "ddx/ir/fusion_plan.h"
#include "ddx/ir/graph.h"

#include "backend/graph_run.h"
#include "backend/launch.h"
#include "backend/lazy/counters.h"
#include "backend/lazy/executor.h"
#include "backend/lazy/fused_loop.h"
#include "backend/lazy/normalization_epilogue.h"
#include "backend/lazy/rowwise_group.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace ddx::backend::lazy {

/// What it takes to run a graph: fewer operations, in loops where they go over the same elements.
/// The regions of its nodes have plans of their own, made with it.
class Plan final : public PreparedGraph {
 public:
  /// Where a result of the recorded graph comes from: the outcomes of a run, or a parameter.
  struct Source {
    bool is_parameter;
    std::size_t place;
  };

  /// Cost:    linear in the graph.
  explicit Plan(const ir::Graph& recorded);

  /// Says that a graph is a region, which has been optimised with the graph around it.
  struct AsRegion {};
  Plan(const ir::Graph& region, AsRegion as_region);

  /// Says that the nodes are to run as they were recorded, to tell which of them has made a NaN:
  /// nothing is rewritten or compiled.
  struct AsRecorded {};
  Plan(const ir::Graph& recorded, AsRecorded as_recorded);

  /// By the number of the result.
  [[nodiscard]] const std::vector<Source>& sources() const noexcept { return sources_; }
  /// The loops that several operations run in.
  [[nodiscard]] const std::vector<FusedLoop>& loops() const noexcept { return loops_; }
  /// The loops that go through the same rows together.
  [[nodiscard]] const std::vector<RowwiseGroup>& groups() const noexcept { return groups_; }
  /// The loops that go over elements while they are normalised.
  [[nodiscard]] const std::vector<NormalizationEpilogue>& normalization_epilogues() const noexcept {
    return normalization_epilogues_;
  }

  /// Computes the results of the recorded graph that are no parameters. As outcomes_of, which the
  /// results equal to the bit where rewrites do. `donated` as of GraphRun::take: parameters whose
  /// memory is the run's, to be written over by results or released after their last use. What
  /// fails, for want of memory too, is an outcome. `origins` are those of a graph that runs as
  /// recorded.
  [[nodiscard]] std::vector<Outcome> run(const Arguments& arguments, const Backend& backend,
                                         std::span<Buffer> donated = {},
                                         Origins origins = {}) const;

 private:
  friend class PlanRun;

  struct Step {
    enum class Kind : std::uint8_t { Node, Alias, Loop, Group, Normalized };

    Kind kind;
    std::size_t number;  // Of the node, or among loops_, groups_ or normalization_epilogues_.
  };

  /// Clusters that run in one step, where one of them stands.
  struct Together {
    Step step;
    std::size_t place;
    std::vector<std::size_t> clusters;
  };

  /// All but the code of loops.
  void plan_graph();
  void plan_regions();
  void plan_results();
  void plan_steps();
  /// Makes the groups and the loops over what is normalised, of loops of some nodes of each
  /// cluster, which make `outputs`.
  [[nodiscard]] std::vector<Together> plan_together(
      const ir::FusionPlan& fusion, const std::vector<std::vector<std::size_t>>& loops,
      const std::vector<bool>& outputs);
  void plan_launches();
  void plan_cost();
  /// Asks for the loops to be compiled.
  void request_code();
  /// Runs all steps, and adds what that has taken, in regions too.
  [[nodiscard]] std::vector<Outcome> run_steps(const Arguments& arguments, const Backend& backend,
                                               std::span<Buffer> donated, Origins origins,
                                               RunCost& cost) const;
  /// As run_steps, with results that are parameters among the others.
  [[nodiscard]] std::vector<Outcome> run_as_region(const Arguments& arguments,
                                                   const Backend& backend,
                                                   std::span<Buffer> donated, RunCost& cost) const;
  /// What each step computes, as text for people; null for what is no launch of its own.
  [[nodiscard]] const std::vector<std::shared_ptr<const KernelInfo>>& kernels() const;
  /// Whether a step is a launch of its own: an alias is none, and regions have theirs.
  [[nodiscard]] bool is_launch(const Step& step) const noexcept;
  /// Throws:  UsageError where there is no kernel; EnvironmentError or std::bad_alloc where there
  ///          is no memory.
  void run_step(std::size_t number, GraphRun& run) const;
  /// What a step computes.
  [[nodiscard]] std::span<const std::size_t> nodes_of(const Step& step) const noexcept;

  ir::Graph graph_;                                   // What is run.
  std::vector<std::unique_ptr<const Plan>> regions_;  // By their number in graph_.
  std::vector<Source> sources_;
  std::vector<Step> steps_;
  bool has_groups_ = false;  // A step has several nodes.
  std::vector<FusedLoop> loops_;
  std::vector<RowwiseGroup> groups_;
  std::vector<NormalizationEpilogue> normalization_epilogues_;
  std::vector<std::optional<Launch>> launches_;  // Of each step, if it is a node that has one.
  std::vector<ir::Cost> work_;                   // Of each step; none where regions do it.
  RunCost cost_;
  mutable std::once_flag kernels_made_;  // While spans are recorded.
  mutable std::vector<std::shared_ptr<const KernelInfo>> kernels_;
};

}  // namespace ddx::backend::lazy
