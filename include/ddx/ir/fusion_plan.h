/// \file
/// Which operations of a graph are fused into one loop.

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
    Alias,    ///< One `reshape`: nothing runs, the result has the operand's memory.
    Loop,     ///< Elementwise operations on arrays of one shape, and reductions of their results.
    Library,  ///< One operation by its own kernel, as is each with a check.
  };

  Kind kind = Kind::Library;
  Shape loop;                      ///< The iteration space of a Loop.
  std::vector<std::size_t> nodes;  ///< In an executable order.
  std::vector<ValueId> inputs;     ///< Arrays of other clusters, each once, in the order of use.
  std::vector<ValueId> outputs;    ///< Values that other clusters or the graph's results need.
};

/// Row-wise fusion: loops over the same rows that run together, each row through one loop after the
/// other, at the position of the last loop. They are elementwise operations, reductions of rows,
/// and operations that read the reduced values.
struct RowwiseGroup {
  Shape loop;    ///< The iteration space of several of the loops.
  Shape column;  ///< One element for each row: the iteration space of the others.
  std::vector<std::size_t> clusters;  ///< In their order.
};

/// A normalisation epilogue: a loop over the elements of a batch normalisation that runs while they
/// are computed, at the position of the normalisation. All its other operands are ready there.
struct NormalizationEpilogue {
  std::size_t normalization;  ///< Its cluster of one node, whose first result has the elements.
  std::size_t loop;           ///< A later one.
};

/// The kernels of a graph, in an executable order.
///
/// Numbers (`full`) belong to every loop that uses them. They are a cluster of their own only if an
/// array must be materialised: for a Library, or as a result.
struct FusionPlan {
  std::vector<Cluster> clusters;
  std::vector<RowwiseGroup> groups;               ///< No cluster is in two of them,
  std::vector<NormalizationEpilogue> normalized;  ///< nor in one of these.
};

/// Plans the kernels. An operation joins the latest cluster that computes one of its operands, if
/// it iterates over the same shape; otherwise it starts a new cluster. Other such clusters whose
/// results are not read before that run in it too. So clusters depend only on earlier ones. Loops
/// that read values reduced over the last axes are grouped into RowwiseGroups, if no operation
/// between them reads their results. Loops over the results of a normalisation become its epilogue,
/// if they can run there.
///
/// Cost:    about linear in the graph.
[[nodiscard]] FusionPlan plan_fusion(const Graph& graph);

/// Renders the clusters, each with a headline and its nodes, then the row-wise groups and the
/// normalisation epilogues.
[[nodiscard]] std::string to_text(const Graph& graph, const FusionPlan& plan);

}  // namespace ddx::ir
