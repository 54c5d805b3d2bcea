/// \file
/// Random well-formed graphs, and values for their parameters.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/scalars.h"
#include "ddx/ops/kernel.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ddx::testing {

/// A graph of `nodes` operations of the families that move, combine and reduce, on a handful of
/// parameters and scalars; several of its values are results. The same for the same seed. Its
/// arrays have some dozens of elements at most, times `size` for each axis.
[[nodiscard]] ir::Graph random_graph(std::uint64_t seed, std::size_t nodes, Shape::Extent size = 1);

/// The same with operations that have regions among the others, in regions too.
[[nodiscard]] ir::Graph random_graph_with_regions(std::uint64_t seed, std::size_t nodes,
                                                  Shape::Extent size = 1);

/// Values for a graph's parameters and scalars.
struct Arguments {
  std::vector<backend::Buffer> memory;
  std::vector<ops::View> parameters;
  std::vector<ir::ScalarValue> scalars;
};
/// Small numbers of both signs, and of every dtype. Refers to the types of `graph`.
[[nodiscard]] Arguments random_arguments(const ir::Graph& graph, std::uint64_t seed);

}  // namespace ddx::testing
