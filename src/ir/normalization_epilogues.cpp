#include "ir/detail/normalization_epilogues.h"

#include "ddx/ir/fusion_plan.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/op.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace ddx::ir::detail {
namespace {

constexpr std::size_t no_node = std::numeric_limits<std::size_t>::max();

/// Whether a cluster is a batch normalisation.
bool normalizes(const Graph& graph, const Cluster& cluster) {
  const Node node = graph.node(cluster.nodes[0]);
  return cluster.kind == Cluster::Kind::Library && !node.op.is_control() &&
         node.check == unchecked &&
         (node.op == ops::Op::batch_norm_training || node.op == ops::Op::batch_norm_inference);
}

}  // namespace

std::vector<NormalizationEpilogue> find_normalization_epilogues(
    const Graph& graph, std::span<const Cluster> clusters, std::span<const RowwiseGroup> groups) {
  std::vector<std::size_t> maker(graph.value_count(), no_node);
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    for (const ValueId output : clusters[c].outputs) {
      maker[Graph::index(output)] = c;
    }
  }
  std::vector<bool> taken(clusters.size());
  for (const RowwiseGroup& group : groups) {
    for (const std::size_t c : group.clusters) {
      taken[c] = true;
    }
  }
  std::vector<NormalizationEpilogue> found;
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    const Cluster& loop = clusters[c];
    if (loop.kind != Cluster::Kind::Loop || taken[c]) {
      continue;
    }
    // All other operands of the loop must be ready at its new position.
    std::size_t last = no_node;
    for (const ValueId input : loop.inputs) {
      const std::size_t made = maker[Graph::index(input)];
      if (made != no_node && (last == no_node || made > last)) {
        last = made;
      }
    }
    if (last == no_node || taken[last] || !normalizes(graph, clusters[last])) {
      continue;
    }
    const ValueId elements = graph.node(clusters[last].nodes[0]).result(0);
    if (graph.type(elements).shape == loop.loop &&
        std::ranges::find(loop.inputs, elements) != loop.inputs.end()) {
      taken[last] = true;
      found.push_back({last, c});
    }
  }
  return found;
}

}  // namespace ddx::ir::detail
