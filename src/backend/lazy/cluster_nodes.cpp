#include "backend/lazy/cluster_nodes.h"

#include "ddx/ir/fusion_plan.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/op.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

namespace ddx::backend::lazy {
namespace {

bool is_reduction(const ir::Node& node) {
  return ops::info(node.op.row()).family == ops::Family::Reduction;
}

}  // namespace

std::vector<std::size_t> elementwise_nodes(const ir::Graph& graph, const ir::Cluster& loop) {
  std::vector<std::size_t> nodes;
  std::ranges::copy_if(loop.nodes, std::back_inserter(nodes), [&](std::size_t i) {
    const ir::Node node = graph.node(i);
    return node.op != ops::Op::full && !is_reduction(node);
  });
  return nodes;
}

std::vector<std::size_t> reduction_nodes(const ir::Graph& graph, const ir::Cluster& loop) {
  std::vector<std::size_t> nodes;
  std::ranges::copy_if(loop.nodes, std::back_inserter(nodes),
                       [&](std::size_t i) { return is_reduction(graph.node(i)); });
  return nodes;
}

}  // namespace ddx::backend::lazy
