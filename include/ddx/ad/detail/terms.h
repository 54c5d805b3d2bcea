/// \file
/// Arrays in which the iterations of a reverse loop leave what they add to adjoints.

#pragma once

#include "ddx/ad/detail/arena.h"

#include <cstddef>

namespace ddx::detail {

/// Room for one term per iteration, with `pad` zeros on either side; the terms uninitialised.
/// Returns: a pointer to the first term.
///
/// Throws: std::bad_alloc.
template <class T>
[[nodiscard]] DDX_INLINE T* padded_terms(Arena& arena, std::size_t trips, std::size_t pad) {
  T* const begin = arena.alloc<T>(trips + 2 * pad);
  for (std::size_t i = 0; i < pad; ++i) {
    begin[i] = 0;
    begin[pad + trips + i] = 0;
  }
  return begin + pad;
}

}  // namespace ddx::detail
