/// \file
/// Forward mode of what a reverse sweep does to the cotangents in memory.

#pragma once

#include "ddx/ad/detail/memory_sweep.h"
#include "ddx/ad/detail/memory_tangents.h"

#include <cstddef>

namespace ddx::detail {

/// MemorySweep::move, and the same for the tangents of the cotangents: also of those that are zero.
///
/// Throws: as MemorySweep::move.
void move_with_tangents(MemorySweep& sweep, const void* dst, const void* src, std::size_t bytes,
                        MemoryTangents& tangents);

/// MemorySweep::clear, and the same for the tangents of the cotangents.
///
/// Throws: as MemorySweep::clear.
void clear_with_tangents(MemorySweep& sweep, const void* begin, std::size_t bytes,
                         MemoryTangents& tangents);

}  // namespace ddx::detail
