/// \file
/// How results are divided among the devices of a mesh.

#pragma once

#include "ddx/ir/graph.h"
#include "ddx/stablehlo/module.h"

#include <cstddef>
#include <span>
#include <vector>

namespace ddx::backend::pjrt {

/// Knows of which parameters the results of a graph take over how they are divided: of those that
/// elementwise operations on arrays of one shape, or the carry of a loop, connect them with, by
/// whatever way. So a weight stays where it is when a step has changed it, and what an optimiser
/// keeps for it goes where the weight is. A result that is connected with none takes it over from
/// the parameters of its type where they are all divided alike: so a gradient lies as its weight.
/// This decides nothing but where elements lie.
class ResultShardings {
 public:
  /// Cost:    linear in the graph.
  explicit ResultShardings(const ir::Graph& graph);

  /// Of each result, from those of the parameters; of several that differ, from the first that is
  /// divided. Where there is none, every device gets all of the result.
  [[nodiscard]] std::vector<stablehlo::Sharding> of(
      std::span<const stablehlo::Sharding> parameters) const;

 private:
  struct Result {
    std::size_t rank;
    std::vector<std::size_t> parameters;  // That it is connected with, in ascending order.
    std::vector<std::size_t> alike;       // Of its type, where it is connected with none.
  };

  std::vector<Result> results_;
};

}  // namespace ddx::backend::pjrt
