/// \file
/// Computes cheap values again where they are needed later, instead of storing them.

#pragma once

#include "ddx/ir/graph.h"

#include <cstdint>

namespace ddx::ir {

/// The graph in which a value that one loop makes and only later loops read is made again by each
/// of these, from what is in memory anyway: rematerialisation. Of large arrays alone, where the
/// traffic saved is worth the operations and no more memory is held until then than before.
/// Gradients read so what the forward pass made between two products, such as the parts of an
/// activation.
///
/// A plan of fusion is made before and after, and the graph stays as it was where its loops would
/// move no less memory. Runs last: merging equal nodes undoes it.
///
/// Cost:    about linear in the graph.
[[nodiscard]] Graph recompute(const Graph& graph);

/// The same of arrays of `least_elements` or more (65536 above: fewer stay in the caches). Regions
/// are as above.
[[nodiscard]] Graph recompute(const Graph& graph, std::int64_t least_elements);

}  // namespace ddx::ir
