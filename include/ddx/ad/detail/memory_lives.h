/// \file
/// Begins and moves of objects in memory, as derivatives of LLVM IR see them.

#pragma once

#include "ddx/ad/detail/memory_sweep.h"
#include "ddx/ad/detail/range_effects.h"

#include <cstddef>

namespace ddx::detail {

/// Ends the reverse sweep over an object: in front of its life no cotangent may be left there.
///
/// Throws: UsageError where one is: a real was read that no real was written to, because its bits
///         were copied as integers.
///
/// Cost: proportional to the pages of the object that have cotangents.
void begin_of_life(MemorySweep& sweep, const void* begin, std::size_t bytes);

/// The reverse of a store of an integer that may hold bits of a real: whether a real was read there
/// that has a cotangent, which ends. Of a real of which other bytes were not written, it is NaN.
bool take_bits(MemorySweep& sweep, const void* begin, std::size_t bytes);

/// The reverse of a load of an integer, whose bits became a real that has a cotangent: the
/// cotangents of reals there are lost.
///
/// Throws: std::bad_alloc.
void mark_bits(MemorySweep& sweep, const void* begin, std::size_t bytes);

/// realloc in a derivative: `observers` see what it copied.
///
/// Throws: std::bad_alloc where one of them finds no room.
void* reallocate(void* old, std::size_t bytes, Observers observers);

}  // namespace ddx::detail
