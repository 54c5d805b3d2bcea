#include "backend/lazy/plan.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/backend/evaluate.h"
#include "ddx/backend/span_recording.h"
#include "ddx/ir/cost.h"
#include "ddx/ir/fusion_plan.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/passes/optimise.h"
#include "ddx/ir/passes/rematerialise.h"
#include "ddx/ops/op.h"

#include "backend/control_run.h"
#include "backend/cpu_jit/loop.h"
#include "backend/cpu_jit/loop_compiler.h"
#include "backend/graph_run.h"
#include "backend/lazy/cluster_nodes.h"
#include "backend/lazy/counters.h"
#include "backend/lazy/executor.h"
#include "backend/lazy/fused_loop.h"
#include "backend/lazy/kernel_info.h"
#include "backend/lazy/materialised_values.h"
#include "backend/lazy/normalization_epilogue.h"
#include "backend/lazy/plan_run.h"
#include "backend/lazy/rowwise_group.h"
#include "backend/lazy/rowwise_plan.h"
#include "backend/lazy/spans.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::backend::lazy {

using ir::Cluster;
using ir::Graph;

Plan::Plan(const Graph& recorded) : PreparedGraph(recorded) {
  const ScopedSpan compilation(SpanKind::Compile, recorded.node_count());
  PassSpans passes;
  graph_ = ir::optimised(recorded,
                         [&](std::string_view pass, const Graph& /*graph*/) { passes.end(pass); });
  graph_ = ir::rematerialise(graph_);
  passes.end("rematerialise");
  plan_graph();
  passes.end("plan");
  request_code();
  passes.end("request code");
}

Plan::Plan(const Graph& region, AsRegion /*as_region*/) : PreparedGraph({}), graph_(region) {
  plan_graph();
  request_code();
}

Plan::Plan(const Graph& recorded, AsRecorded /*as_recorded*/)
    : PreparedGraph(recorded), graph_(recorded) {
  plan_graph();
}

void Plan::plan_graph() {
  plan_regions();
  plan_results();
  plan_steps();
  plan_launches();
  plan_cost();
}

void Plan::plan_regions() {
  for (std::size_t i = 0; i < graph_.region_count(); ++i) {
    regions_.push_back(
        std::make_unique<const Plan>(graph_.region(static_cast<ir::RegionId>(i)), AsRegion{}));
  }
}

void Plan::plan_results() {
  std::vector<ir::ValueId> made;
  for (const ir::ValueId result : graph_.results()) {
    if (graph_.producer(result)) {
      sources_.push_back({false, made.size()});
      made.push_back(result);
    } else {
      const auto parameters = graph_.parameters();
      const auto place = std::ranges::find(parameters, result) - parameters.begin();
      sources_.push_back({true, static_cast<std::size_t>(place)});
    }
  }
  graph_.set_results(std::move(made));
}

std::vector<Plan::Together> Plan::plan_together(const ir::FusionPlan& fusion,
                                                const std::vector<std::vector<std::size_t>>& loops,
                                                const std::vector<bool>& outputs) {
  std::vector<Together> made;
  for (const ir::RowwiseGroup& group : fusion.groups) {
    if (std::optional<RowwisePlan> plan = RowwisePlan::of(graph_, fusion, group, outputs)) {
      made.push_back({{Step::Kind::Group, groups_.size()}, group.clusters.back(), group.clusters});
      groups_.emplace_back(std::move(*plan));
    }
  }
  for (const auto& [normalization, loop] : fusion.normalized) {
    const std::size_t node = fusion.clusters[normalization].nodes[0];
    if (std::optional<NormalizationEpilogue> each =
            NormalizationEpilogue::of(graph_, node, loops[loop], outputs)) {
      made.push_back({{Step::Kind::Normalized, normalization_epilogues_.size()},
                      normalization,
                      {normalization, loop}});
      normalization_epilogues_.push_back(std::move(*each));
    }
  }
  return made;
}

void Plan::plan_steps() {
  const ir::FusionPlan fusion = ir::plan_fusion(graph_);
  std::vector<std::vector<std::size_t>> loops;
  for (const Cluster& cluster : fusion.clusters) {
    loops.push_back(cluster.kind == Cluster::Kind::Loop ? elementwise_nodes(graph_, cluster)
                                                        : std::vector<std::size_t>());
  }
  const std::vector<bool> outputs = materialised_values(graph_, loops);
  const std::vector<Together> together = plan_together(fusion, loops, outputs);
  std::vector<const Together*> together_with(fusion.clusters.size());
  for (const Together& each : together) {
    for (const std::size_t c : each.clusters) {
      together_with[c] = &each;
    }
  }
  std::vector<bool> planned(graph_.node_count());
  const auto add = [&](Step::Kind kind, std::size_t i) {
    // A number is an array only where an operation needs it as one.
    for (const ir::ValueId operand : graph_.node(i).operands) {
      const auto maker = graph_.producer(operand);
      if (maker && !planned[*maker] && graph_.node(*maker).op == ops::Op::full) {
        steps_.push_back({Step::Kind::Node, *maker});
        planned[*maker] = true;
      }
    }
    steps_.push_back({kind, i});
    planned[i] = true;
  };
  // A step for some nodes together, and one each for those of the clusters that are not among them.
  const auto add_together = [&](const Step& step, std::span<const std::size_t> clusters) {
    for (const std::size_t i : nodes_of(step)) {
      planned[i] = true;
    }
    steps_.push_back(step);
    for (const std::size_t c : clusters) {
      for (const std::size_t i : fusion.clusters[c].nodes) {
        if (!planned[i] && graph_.node(i).op != ops::Op::full) {
          add(Step::Kind::Node, i);
        }
      }
    }
  };
  for (std::size_t c = 0; c < fusion.clusters.size(); ++c) {
    const Cluster& cluster = fusion.clusters[c];
    const bool is_loop = cluster.kind == Cluster::Kind::Loop;
    if (const Together* const others = together_with[c]) {
      if (others->place == c) {
        add_together(others->step, others->clusters);
      }
      continue;
    }
    if (is_loop) {
      if (std::optional<FusedLoop> loop =
              FusedLoop::of(graph_, loops[c], reduction_nodes(graph_, cluster), outputs)) {
        loops_.push_back(std::move(*loop));
        add_together({Step::Kind::Loop, loops_.size() - 1}, {&c, 1});
        continue;
      }
    }
    for (const std::size_t i : cluster.nodes) {
      // Numbers belong to loops, and are clusters of their own where they must be arrays.
      if (!planned[i] && !(is_loop && graph_.node(i).op == ops::Op::full)) {
        add(cluster.kind == Cluster::Kind::Alias ? Step::Kind::Alias : Step::Kind::Node, i);
      }
    }
  }
}

void Plan::request_code() {
  std::vector<cpu_jit::Loop> programs;
  std::vector<FusedLoop*> loops;
  const auto add = [&](FusedLoop& loop) {
    if (std::optional<cpu_jit::Loop> program = loop.program()) {
      programs.push_back(std::move(*program));
      loops.push_back(&loop);
    }
  };
  std::ranges::for_each(loops_, add);
  for (RowwiseGroup& group : groups_) {
    for (FusedLoop* const loop : group.loops()) {
      add(*loop);
    }
  }
  for (NormalizationEpilogue& each : normalization_epilogues_) {
    add(each.loop());
  }
  const auto code = cpu_jit::request(programs);
  for (std::size_t i = 0; i < loops.size(); ++i) {
    loops[i]->set_code(code[i]);
  }
}

std::span<const std::size_t> Plan::nodes_of(const Step& step) const noexcept {
  switch (step.kind) {
    case Step::Kind::Node:
    case Step::Kind::Alias:
      return std::span(&step.number, 1);
    case Step::Kind::Loop:
      return loops_[step.number].nodes();
    case Step::Kind::Group:
      return groups_[step.number].nodes();
    case Step::Kind::Normalized:
      return normalization_epilogues_[step.number].nodes();
  }
  __builtin_unreachable();
}

bool Plan::is_launch(const Step& step) const noexcept {
  switch (step.kind) {
    case Step::Kind::Node:
      return !graph_.node(step.number).op.is_control();
    case Step::Kind::Alias:
      return false;
    case Step::Kind::Loop:
    case Step::Kind::Group:
    case Step::Kind::Normalized:
      return true;
  }
  __builtin_unreachable();
}

void Plan::plan_launches() {
  for (const Step& step : steps_) {
    has_groups_ = has_groups_ || nodes_of(step).size() > 1;
    launches_.push_back(step.kind == Step::Kind::Node ? Launch::of(graph_, step.number)
                                                      : std::nullopt);
  }
}

void Plan::plan_cost() {
  const std::vector<std::uint32_t> uses = ir::use_counts(graph_);
  for (const Step& step : steps_) {
    if (!is_launch(step)) {
      work_.emplace_back();
      continue;
    }
    const std::span<const std::size_t> nodes = nodes_of(step);
    work_.push_back(ir::cost_of(graph_, nodes, uses));
    cost_.work += work_.back();
    cost_.operations += nodes.size();
    ++cost_.kernels;
  }
}

const std::vector<std::shared_ptr<const KernelInfo>>& Plan::kernels() const {
  std::call_once(kernels_made_, [this] {
    std::vector<std::shared_ptr<const KernelInfo>> kernels;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      kernels.push_back(!is_launch(steps_[i]) ? nullptr
                                              : std::make_shared<const KernelInfo>(kernel_info(
                                                    graph_, nodes_of(steps_[i]), work_[i])));
    }
    kernels_ = std::move(kernels);
  });
  return kernels_;
}

void Plan::run_step(std::size_t number, GraphRun& run) const {
  const Step& step = steps_[number];
  switch (step.kind) {
    case Step::Kind::Node:
      if (launches_[number]) {
        run.run(*launches_[number]);
      } else {
        run.run(graph_.node(step.number));
      }
      break;
    case Step::Kind::Alias:
      run.alias(graph_.node(step.number));
      break;
    case Step::Kind::Loop:
      loops_[step.number].run(run);
      break;
    case Step::Kind::Group:
      groups_[step.number].run(run);
      break;
    case Step::Kind::Normalized:
      normalization_epilogues_[step.number].run(run);
      break;
  }
}

std::vector<Outcome> Plan::run_steps(const Arguments& arguments, const Backend& backend,
                                     std::span<Buffer> donated, Origins origins,
                                     RunCost& cost) const {
  PlanRun run(*this, arguments, backend, origins);
  run.take(donated);
  run.go_on();
  std::vector<Outcome> results;
  for (std::size_t i = 0; i < graph_.results().size(); ++i) {
    results.push_back(run.outcome(i));
  }
  cost += run.cost();
  return results;
}

std::vector<Outcome> Plan::run_as_region(const Arguments& arguments, const Backend& backend,
                                         std::span<Buffer> donated, RunCost& cost) const {
  // What is returned as it came is not to be written over.
  std::vector<Buffer> kept(arguments.parameters.size());
  for (const Source& source : sources_) {
    if (source.is_parameter && !donated.empty() && donated[source.place].block() != nullptr) {
      kept[source.place] = std::exchange(donated[source.place], Buffer());
    }
  }
  const std::vector<Outcome> made = run_steps(arguments, backend, donated, {}, cost);
  std::vector<Outcome> results;
  for (const Source& source : sources_) {
    if (!source.is_parameter) {
      results.push_back(made[source.place]);
    } else if (kept[source.place].block() != nullptr) {
      results.push_back({kept[source.place], nullptr});
    } else {
      results.push_back({copy_of(arguments.parameters[source.place]), nullptr});
    }
  }
  return results;
}

std::vector<Outcome> Plan::run(const Arguments& arguments, const Backend& backend,
                               std::span<Buffer> donated, Origins origins) const {
  const ScopedSpan span(SpanKind::Run, recorded().node_count());
  const auto begin = std::chrono::steady_clock::now();
  RunCost cost;
  std::vector<Outcome> results = run_steps(arguments, backend, donated, origins, cost);
  Counters::instance().count_run(cost, std::chrono::steady_clock::now() - begin);
  return results;
}

}  // namespace ddx::backend::lazy
