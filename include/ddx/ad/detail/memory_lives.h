/// \file
/// Begins and moves of objects in memory, as derivatives of LLVM IR see them.

#pragma once

#include "ddx/ad/detail/memory_sweep.h"
#include "ddx/ad/detail/memory_tangents.h"

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

/// realloc, with a record of it on the tape.
///
/// Throws: std::bad_alloc where the tape finds no room.
void* reallocate(void* old, std::size_t bytes, MemorySweep& sweep);

/// Its reverse: the cotangents go back to the old object.
void reverse_reallocate(MemorySweep& sweep);

/// realloc, which takes the tangents of what it copies along.
///
/// Throws: std::bad_alloc where the tangents find no room.
void* reallocate(void* old, std::size_t bytes, MemoryTangents& tangents);

/// The same in the forward sweep of a differential: with a record of what was copied, behind it one
/// of the tangents that moved.
///
/// Throws: std::bad_alloc.
void* reallocate_with_records(void* old, std::size_t bytes, MemoryTangents& tangents,
                              MemorySweep& sweep);

/// realloc in a forward sweep, with the tangents of what it copies.
///
/// Throws: std::bad_alloc.
void* reallocate_with_tangents(void* old, std::size_t bytes, MemorySweep& sweep,
                               MemoryTangents& tangents);

/// reverse_reallocate, and the same for the tangents of the cotangents.
void reverse_reallocate_with_tangents(MemorySweep& sweep, MemoryTangents& tangents);

}  // namespace ddx::detail
