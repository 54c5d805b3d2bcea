/// \file
/// Copies of array elements that the reverse sweep needs again.

#pragma once

#include "ddx/ad/detail/arena.h"

#include <cstddef>
#include <cstring>

namespace ddx::detail {

/// Copies `trips + more` elements of `array`, from number `first` on, into the arena. Where `trips`
/// is 0 nothing is read, and the result is null.
///
/// Throws: std::bad_alloc.
template <class T>
[[nodiscard]] DDX_INLINE const T* copy_range(Arena& arena, const T* array, std::ptrdiff_t first,
                                             std::size_t trips, std::size_t more) {
  // Fewer elements than this are copied sooner than memcpy is called.
  constexpr std::size_t few = 12;
  if (trips == 0) {
    return nullptr;
  }
  const std::size_t count = trips + more;
  const T* const from = array + first;
  T* const to = arena.alloc<T>(count);
  if (count <= few) {
    for (std::size_t i = 0; i < count; ++i) {
      to[i] = from[i];
      asm("" : "+r"(i));  // Or the optimiser makes a call of memcpy out of the loop.
    }
  } else {
    std::memcpy(to, from, count * sizeof(T));
  }
  return to;
}

}  // namespace ddx::detail
