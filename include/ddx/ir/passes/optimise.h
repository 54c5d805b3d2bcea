/// \file
/// The passes in their order.

#pragma once

#include "ddx/ir/graph.h"

#include <functional>
#include <string_view>

namespace ddx::ir {

/// Receives the graph after each pass.
using PassObserver = std::function<void(std::string_view pass, const Graph& graph)>;

/// Returns an equivalent graph with less work: applies every pass in turn. `observe` may print,
/// time or verify.
///
/// Cost:    linear in the graph.
[[nodiscard]] Graph optimised(const Graph& graph, const PassObserver& observe = nullptr);

}  // namespace ddx::ir
