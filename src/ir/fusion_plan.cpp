#include "ddx/ir/fusion_plan.h"

#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/operation.h"
#include "ddx/ir/text.h"
#include "ddx/ops/op.h"

#include "ir/detail/is_elementwise.h"
#include "ir/detail/normalization_epilogues.h"
#include "ir/detail/rowwise_groups.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ddx::ir {
namespace {

constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

/// Reductions that a loop can compute in one pass over the elements.
bool is_running_reduction(Operation op) {
  if (op.is_control()) {
    return false;
  }
  switch (op.row()) {
    case ops::Op::sum:
    case ops::Op::mean:
    case ops::Op::max:
    case ops::Op::min:
    case ops::Op::product:
    case ops::Op::all:
    case ops::Op::any:
      return true;
    default:  // Other families, and log_sum_exp, which subtracts the maximum first.
      return false;
  }
}

class Planner {
 public:
  explicit Planner(const Graph& graph) : graph_(graph), cluster_of_(graph.node_count(), nowhere) {}

  FusionPlan plan() {
    for (std::size_t i = 0; i < graph_.node_count(); ++i) {
      place(i);
      note_readers(i);
    }
    std::erase_if(plan_.clusters, [](const Cluster& cluster) { return cluster.nodes.empty(); });
    find_numbers_in_memory();
    connect();
    plan_.groups = detail::find_rowwise_groups(graph_, plan_.clusters);
    plan_.normalized = detail::find_normalization_epilogues(graph_, plan_.clusters, plan_.groups);
    return std::move(plan_);
  }

 private:
  [[nodiscard]] std::optional<std::size_t> producer(ValueId value) const {
    return graph_.producer(value);
  }

  void place(std::size_t i) {
    const Node node = graph_.node(i);
    if (node.op == ops::Op::full) {
      return;  // Belongs to the loops that use it.
    }
    if (node.op == ops::Op::reshape) {
      begin(i, Cluster::Kind::Alias, {});
    } else if (node.check != unchecked) {
      begin(i, Cluster::Kind::Library, {});
    } else if (detail::runs_in_loop(node.op)) {
      join_or_begin(i, graph_.type(node.result()).shape);
    } else if (is_running_reduction(node.op)) {
      join_or_begin(i, graph_.type(node.operands[0]).shape);
    } else {
      begin(i, Cluster::Kind::Library, {});
    }
  }

  void begin(std::size_t i, Cluster::Kind kind, const Shape& loop) {
    cluster_of_[i] = plan_.clusters.size();
    plan_.clusters.push_back({kind, loop, {i}, {}, {}});
    readers_.emplace_back();
  }

  void join_or_begin(std::size_t i, const Shape& loop) {
    const std::size_t latest = latest_cluster(graph_.node(i));
    if (latest == nowhere || plan_.clusters[latest].kind != Cluster::Kind::Loop ||
        plan_.clusters[latest].loop != loop || !reads_in_step(i, latest)) {
      begin(i, Cluster::Kind::Loop, loop);
    } else {
      cluster_of_[i] = latest;
      plan_.clusters[latest].nodes.push_back(i);
    }
    for (const ValueId operand : graph_.node(i).operands) {
      const auto maker = producer(operand);
      const std::size_t earlier = maker ? cluster_of_[*maker] : nowhere;
      if (earlier != nowhere && earlier != cluster_of_[i] && can_wait(earlier, cluster_of_[i])) {
        merge(earlier, cluster_of_[i]);
      }
    }
  }

  /// Whether a loop can run as a part of a later one: no cluster reads it before, and each of its
  /// elements is ready when the later loop needs it.
  [[nodiscard]] bool can_wait(std::size_t earlier, std::size_t later) const {
    const Cluster& first = plan_.clusters[earlier];
    const Cluster& second = plan_.clusters[later];
    return first.kind == Cluster::Kind::Loop && first.loop == second.loop &&
           std::ranges::all_of(readers_[earlier],
                               [&](std::size_t reader) {
                                 return reader >= later || plan_.clusters[reader].nodes.empty();
                               }) &&
           std::ranges::all_of(second.nodes,
                               [&](std::size_t node) { return reads_in_step(node, earlier); });
  }

  void merge(std::size_t earlier, std::size_t later) {
    std::vector<std::size_t>& nodes = plan_.clusters[later].nodes;
    for (const std::size_t node : plan_.clusters[earlier].nodes) {
      cluster_of_[node] = later;
      note_readers(node);
    }
    nodes.insert(nodes.end(), plan_.clusters[earlier].nodes.begin(),
                 plan_.clusters[earlier].nodes.end());
    std::ranges::sort(nodes);
    plan_.clusters[earlier].nodes.clear();
    readers_[later].insert(readers_[later].end(), readers_[earlier].begin(),
                           readers_[earlier].end());
  }

  /// Records that the cluster of a node reads the clusters of its operands.
  void note_readers(std::size_t i) {
    if (cluster_of_[i] == nowhere) {
      return;
    }
    for (const ValueId operand : graph_.node(i).operands) {
      const auto maker = producer(operand);
      const std::size_t read = maker ? cluster_of_[*maker] : nowhere;
      if (read != nowhere && read != cluster_of_[i] &&
          (readers_[read].empty() || readers_[read].back() != cluster_of_[i])) {
        readers_[read].push_back(cluster_of_[i]);
      }
    }
  }

  /// The last cluster that computes an operand.
  [[nodiscard]] std::size_t latest_cluster(const Node& node) const {
    std::size_t latest = nowhere;
    for (const ValueId operand : node.operands) {
      if (const auto maker = producer(operand); maker && cluster_of_[*maker] != nowhere) {
        latest = latest == nowhere ? cluster_of_[*maker] : std::max(latest, cluster_of_[*maker]);
      }
    }
    return latest;
  }

  /// Whether the element that a node reads of a loop is ready when its own element is computed: not
  /// the result of a reduction, and not broadcast.
  [[nodiscard]] bool reads_in_step(std::size_t i, std::size_t cluster) const {
    return std::ranges::all_of(graph_.node(i).operands, [&](ValueId operand) {
      const auto maker = producer(operand);
      return !maker || cluster_of_[*maker] != cluster ||
             (detail::runs_in_loop(graph_.node(*maker).op) &&
              graph_.type(operand).shape == plan_.clusters[cluster].loop);
    });
  }

  /// Gives numbers that must be arrays a cluster, before the first cluster that reads them.
  void find_numbers_in_memory() {
    std::vector<bool> needed(graph_.node_count());
    const auto need = [&](ValueId value) {
      if (const auto maker = producer(value); maker && cluster_of_[*maker] == nowhere) {
        needed[*maker] = true;
      }
    };
    for (const Cluster& cluster : plan_.clusters) {
      if (cluster.kind != Cluster::Kind::Loop) {
        std::ranges::for_each(graph_.node(cluster.nodes[0]).operands, need);
      }
    }
    std::ranges::for_each(graph_.results(), need);
    std::vector<Cluster> numbers;
    for (std::size_t i = 0; i < needed.size(); ++i) {
      if (needed[i]) {
        numbers.push_back({Cluster::Kind::Library, {}, {i}, {}, {}});
      }
    }
    plan_.clusters.insert(plan_.clusters.begin(), numbers.begin(), numbers.end());
  }

  /// Finds inputs and outputs of each cluster, and gives loops their numbers.
  void connect() {
    std::vector<std::size_t> home(graph_.node_count(), nowhere);
    for (std::size_t c = 0; c < plan_.clusters.size(); ++c) {
      for (const std::size_t node : plan_.clusters[c].nodes) {
        home[node] = c;
      }
    }
    std::vector<bool> goes_out(graph_.value_count());
    for (std::size_t c = 0; c < plan_.clusters.size(); ++c) {
      take_inputs(c, home, goes_out);
    }
    for (const ValueId result : graph_.results()) {
      goes_out[Graph::index(result)] = true;
    }
    for (Cluster& cluster : plan_.clusters) {
      for (const std::size_t i : cluster.nodes) {
        const Node node = graph_.node(i);
        const bool borrowed = node.op == ops::Op::full && cluster.kind == Cluster::Kind::Loop;
        for (std::size_t result = 0; result < node.result_count && !borrowed; ++result) {
          if (goes_out[Graph::index(node.result(result))]) {
            cluster.outputs.push_back(node.result(result));
          }
        }
      }
    }
  }

  void take_inputs(std::size_t c, const std::vector<std::size_t>& home,
                   std::vector<bool>& goes_out) {
    Cluster& cluster = plan_.clusters[c];
    std::vector<std::size_t> numbers;
    for (const std::size_t i : cluster.nodes) {
      for (const ValueId operand : graph_.node(i).operands) {
        const auto maker = producer(operand);
        if (maker && home[*maker] == c) {
          continue;
        }
        if (maker && cluster.kind == Cluster::Kind::Loop &&
            graph_.node(*maker).op == ops::Op::full) {
          if (std::ranges::find(numbers, *maker) == numbers.end()) {
            numbers.push_back(*maker);
          }
          continue;
        }
        goes_out[Graph::index(operand)] = true;
        if (std::ranges::find(cluster.inputs, operand) == cluster.inputs.end()) {
          cluster.inputs.push_back(operand);
        }
      }
    }
    cluster.nodes.insert(cluster.nodes.begin(), numbers.begin(), numbers.end());
  }

  const Graph& graph_;
  std::vector<std::size_t> cluster_of_;
  std::vector<std::vector<std::size_t>> readers_;  // Of each cluster; emptied ones among them.
  FusionPlan plan_;
};

const char* name_of(Cluster::Kind kind) {
  switch (kind) {
    case Cluster::Kind::Alias:
      return "alias";
    case Cluster::Kind::Loop:
      return "loop";
    case Cluster::Kind::Library:
      return "library";
  }
  __builtin_unreachable();
}

}  // namespace

FusionPlan plan_fusion(const Graph& graph) {
  return Planner(graph).plan();
}

std::string to_text(const Graph& graph, const FusionPlan& plan) {
  std::string text;
  for (const Cluster& cluster : plan.clusters) {
    text += name_of(cluster.kind);
    if (cluster.kind == Cluster::Kind::Loop) {
      text += " over " + to_string(cluster.loop);
    }
    text += ": " + std::to_string(cluster.inputs.size()) + " in, " +
            std::to_string(cluster.outputs.size()) + " out\n";
    for (const std::size_t node : cluster.nodes) {
      text += "  " + to_text(graph, node) + "\n";
    }
  }
  for (const RowwiseGroup& group : plan.groups) {
    text += "group over " + to_string(group.loop) + " by rows " + to_string(group.column) + ":";
    for (const std::size_t cluster : group.clusters) {
      text += " " + std::to_string(cluster);
    }
    text += "\n";
  }
  for (const NormalizationEpilogue& each : plan.normalized) {
    text += "normalised for a loop: " + std::to_string(each.normalization) + " " +
            std::to_string(each.loop) + "\n";
  }
  return text;
}

}  // namespace ddx::ir
