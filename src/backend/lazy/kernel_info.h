/// \file
/// Launches as text for people.

#pragma once

#include "ddx/backend/span_recording.h"
#include "ddx/ir/cost.h"
#include "ddx/ir/graph.h"

#include <cstddef>
#include <span>

namespace ddx::backend::lazy {

/// What nodes compute that run in one launch, with what it takes.
[[nodiscard]] KernelInfo kernel_info(const ir::Graph& graph, std::span<const std::size_t> nodes,
                                     const ir::Cost& work);

}  // namespace ddx::backend::lazy
