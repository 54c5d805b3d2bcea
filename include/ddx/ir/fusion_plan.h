/// \file
/// Which operations of a graph run together, in one loop.

#pragma once

#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ddx::ir {

/// Operations that run as one kernel.
struct Cluster {
  enum class Kind : std::uint8_t {
    Alias,    ///< One `reshape`: nothing runs, the result lies where the operand does.
    Loop,     ///< Elementwise operations on arrays of one shape, and reductions of what they make.
    Library,  ///< One operation by a kernel of its own, as is each that has a check.
  };

  Kind kind = Kind::Library;
  Shape loop;                      ///< What a Loop goes over.
  std::vector<std::size_t> nodes;  ///< In an order in which they can run.
  std::vector<ValueId> inputs;     ///< Arrays made elsewhere, each once, in the order of their use.
  std::vector<ValueId> outputs;    ///< What other clusters or the graph's results need.
};

/// The kernels of a graph, in an order in which they can run.
///
/// Numbers (`full`) belong to every loop that works with them, and are a cluster of their own only
/// where an array must be in memory: for a Library, or as a result.
struct FusionPlan {
  std::vector<Cluster> clusters;
};

/// Plans the kernels: an operation joins the latest of the clusters that make its operands, where
/// it goes over the same shape; else it begins one. Others of them that nobody reads before then
/// run in it too. So clusters depend on earlier ones alone.
///
/// Cost:    about linear in the graph.
[[nodiscard]] FusionPlan plan_fusion(const Graph& graph);

/// Renders the clusters, each with a headline and its nodes.
[[nodiscard]] std::string to_text(const Graph& graph, const FusionPlan& plan);

}  // namespace ddx::ir
