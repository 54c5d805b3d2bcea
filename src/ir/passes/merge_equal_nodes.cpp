#include "ddx/ir/passes/merge_equal_nodes.h"

#include "ddx/core/hash.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/operation.h"
#include "ddx/ops/attribute_fields.h"

#include "ir/detail/rebuild.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>

namespace ddx::ir {
namespace {

/// A hash that is equal for equal nodes.
std::uint64_t hash_of(const Node& node, std::span<const ValueId> operands,
                      std::span<const Type> results) {
  std::uint64_t hash = ops::hash_of(node.attributes) + node.op.code();
  const auto mix = [&](std::uint64_t word) { hash = mixed(hash, word); };
  for (const ValueId operand : operands) {
    mix(Graph::index(operand));
  }
  for (const ScalarId scalar : node.scalars) {
    mix(Graph::index(scalar));
  }
  for (const Type& result : results) {
    mix(static_cast<std::uint64_t>(result.dtype));
    for (const Shape::Extent extent : result.shape.extents()) {
      mix(static_cast<std::uint64_t>(extent));
    }
  }
  return hash;
}

/// Whether two equal nodes compute the same, and running one check is enough.
bool is_asked_nothing(const Node& node) {
  return node.check == unchecked && node.region_checks.empty();
}

bool is_equal(const Graph& graph, const Node& other, const Node& node,
              std::span<const ValueId> operands, std::span<const Type> results,
              std::span<const std::shared_ptr<const Graph>> regions) {
  if (other.op != node.op || other.scalars != node.scalars ||
      !std::ranges::equal(other.operands, operands) || other.result_count != results.size() ||
      other.scan != node.scan || !std::ranges::equal(other.region_scalars, node.region_scalars) ||
      !ops::identical(other.attributes, node.attributes)) {
    return false;
  }
  for (std::size_t i = 0; i < regions.size(); ++i) {
    if (graph.region(other.regions[i]) != *regions[i]) {
      return false;
    }
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (graph.type(other.result(i)) != results[i]) {
      return false;
    }
  }
  return true;
}

}  // namespace

Graph merge_equal_nodes(const Graph& graph) {
  detail::Rebuild rebuild(graph);
  std::unordered_multimap<std::uint64_t, std::size_t> known;
  for (std::size_t i = 0; i < graph.node_count(); ++i) {
    const Node node = graph.node(i);
    if (!is_asked_nothing(node)) {
      rebuild.copy(node, merge_equal_nodes);
      continue;
    }
    const auto operands = rebuild.operands_of(node);
    const auto results = rebuild.results_of(node);
    // The transformed regions: their numbers here differ.
    const ControlFlow flow = node.op.is_control() ? rebuild.control_of(node, merge_equal_nodes)
                                                  : ControlFlow{Control::Cond, {}, {}};
    const std::uint64_t hash = hash_of(node, operands, results);
    const auto [begin, end] = known.equal_range(hash);
    const auto same = std::find_if(begin, end, [&](const auto& entry) {
      return is_equal(rebuild.graph(), rebuild.graph().node(entry.second), node, operands, results,
                      flow.regions);
    });
    if (same == end) {
      rebuild.copy(node, merge_equal_nodes);
      known.emplace(hash, rebuild.graph().node_count() - 1);
      continue;
    }
    const Node other = rebuild.graph().node(same->second);
    for (std::size_t result = 0; result < node.result_count; ++result) {
      rebuild.replace(node.result(result), other.result(result));
    }
  }
  return std::move(rebuild).finish();
}

}  // namespace ddx::ir
