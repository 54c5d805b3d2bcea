/// \file
/// Memory that is kept for the next tensors.

#pragma once

namespace ddx::detail {

/// Returns to the system what is kept of large blocks, for all threads. For work that frees blocks
/// that it will not need again, such as weights in f32 that are replaced by quantised ones.
void release_kept_memory() noexcept;

}  // namespace ddx::detail
