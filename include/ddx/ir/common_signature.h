/// \file
/// Gives the regions of a node a common signature.

#pragma once

#include "ddx/ir/graph.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ddx::ir {

/// The common parameters of all regions of a node.
struct CommonSignature {
  std::vector<Type> parameters;
  std::vector<ScalarKind> scalars;
  std::uint32_t checks = 0;
};

/// Returns the graph with the parameters, scalars and checks of a signature. Its own parameters are
/// those at `places` of the signature's, its scalars and checks those from `first_scalar` and
/// `first_check` on.
///
/// Cost:    linear in the graph.
[[nodiscard]] Graph with_signature(const Graph& graph, const CommonSignature& signature,
                                   std::span<const std::size_t> places, std::size_t first_scalar,
                                   std::size_t first_check);

}  // namespace ddx::ir
