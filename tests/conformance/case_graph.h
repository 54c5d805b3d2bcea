/// \file
/// A case as a graph of one node.

#pragma once

#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/op.h"

#include "tests/conformance/cases.h"
#include "tests/conformance/host_array.h"

#include <cstddef>
#include <vector>

namespace ddx::testing {

[[nodiscard]] inline ir::Type type_of(const HostArray& array) {
  return {array.shape, array.dtype};
}

/// The graph of a case, its first result of another shape where one is given.
[[nodiscard]] inline ir::Graph graph_of(const ops::OpInfo& op, const Case& one,
                                        const Shape* other_shape = nullptr) {
  ir::Graph graph;
  std::vector<ir::ValueId> operands;
  for (const HostArray& input : one.inputs) {
    operands.push_back(graph.add_parameter(type_of(input)));
  }
  std::vector<ir::Type> types;
  for (const HostArray& expected : one.expected) {
    types.push_back(type_of(expected));
  }
  if (other_shape != nullptr) {
    types[0].shape = *other_shape;
  }
  const ir::ValueId first =
      graph.add_node(op.op, operands, ops::attributes_from(op.op, one.attributes.get()), types);
  std::vector<ir::ValueId> results;
  for (std::size_t i = 0; i < types.size(); ++i) {
    results.push_back(static_cast<ir::ValueId>(ir::Graph::index(first) + i));
  }
  graph.set_results(results);
  return graph;
}

}  // namespace ddx::testing
