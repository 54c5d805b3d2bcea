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

/// Loops that can go through the same rows together, each row through one after the other, where
/// the last of them stands: elementwise operations, reductions of rows, and more of them that read
/// what has been reduced.
struct RowChain {
  Shape loop;                         ///< What several of the loops go over.
  Shape column;                       ///< An element for each row: what the others go over.
  std::vector<std::size_t> clusters;  ///< In their order.
};

/// A loop over the elements that a normalisation of a batch makes, which can go through them as
/// they are made, where the normalisation stands: all else that it reads is there by then.
struct NormalizedLoop {
  std::size_t normalization;  ///< Its cluster, of one node, whose first result the elements are.
  std::size_t loop;           ///< A later one.
};

/// The kernels of a graph, in an order in which they can run.
///
/// Numbers (`full`) belong to every loop that works with them, and are a cluster of their own only
/// where an array must be in memory: for a Library, or as a result.
struct FusionPlan {
  std::vector<Cluster> clusters;
  std::vector<RowChain> chains;            ///< No cluster is in two of them,
  std::vector<NormalizedLoop> normalized;  ///< nor in one of these.
};

/// Plans the kernels: an operation joins the latest of the clusters that make its operands, where
/// it goes over the same shape; else it begins one. Others of them that nobody reads before then
/// run in it too. So clusters depend on earlier ones alone. Loops that read what others have
/// reduced over the last axes are chained, where nobody between them reads what they make. Loops
/// over what a normalisation makes are named with it, where they can run then.
///
/// Cost:    about linear in the graph.
[[nodiscard]] FusionPlan plan_fusion(const Graph& graph);

/// Renders the clusters, each with a headline and its nodes, and then the chains and what is
/// normalised for a loop.
[[nodiscard]] std::string to_text(const Graph& graph, const FusionPlan& plan);

}  // namespace ddx::ir
