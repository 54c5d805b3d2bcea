/// \file
/// What an optimiser keeps about filters, which XLA for GPUs does not update in place.

#pragma once

#include "ddx/ir/graph.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace ddx::backend::pjrt {

/// For each parameter whether it is state of a filter of a convolution, such as its momentum, and
/// should not be donated on a GPU. The result that replaces it comes from a gradient of a filter by
/// elementwise operations and reshapes, and no convolution reads it (cast or reshaped), as it reads
/// the filter.
///
/// XLA for GPUs transposes filters and their gradients. State is read and written through a
/// transposition in one fusion, which cannot overwrite what it reads. So XLA computes the next
/// value elsewhere, and copies it if the state is donated. A filter has been transposed for its
/// convolution already and is overwritten without a copy. Launches of a step on an H100, as
/// compiled by the CUDA plugin 0.12 (copies), and memory at the peak:
///
///                       donated             not donated
///   ResNet-56           964 (56), 585.8 MB  909 (1), 588.7 MB
///   ResNet-18, 32 x 32  320 (21), 265.9 MB  300 (1), 274.3 MB
///   ResNet-18, 224      343 (21), 712.1 MB  323 (1), 740.2 MB
///
/// Adam's moments and running averages of filters are copied alike. Old and new values exist at
/// once, which takes at most as much memory as the state, and 256 MiB: the smallest parameters come
/// first, since each saves one launch, and those beyond are donated.
///
/// `replacements` are the graph's (ir::replacements).
/// Cost:    linear in the graph.
[[nodiscard]] std::vector<bool> filter_state(
    const ir::Graph& graph, const std::vector<std::optional<std::size_t>>& replacements);

}  // namespace ddx::backend::pjrt
