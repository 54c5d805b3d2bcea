/// \file
/// What the results of a graph depend on.

#pragma once

#include "ddx/ir/graph.h"

#include <cstddef>
#include <exception>
#include <span>
#include <vector>

namespace ddx::backend::pjrt {

/// Why each result of a graph has no meaning, where parameters of it have none, or checks of its
/// nodes have failed, for these reasons; null where it has one. Of several reasons the one that
/// comes first in the graph.
///
/// Cost:    linear in the graph.
[[nodiscard]] std::vector<std::exception_ptr> errors_of_results(
    const ir::Graph& graph, std::span<const std::exception_ptr> parameters,
    std::span<const std::exception_ptr> checks);

}  // namespace ddx::backend::pjrt
