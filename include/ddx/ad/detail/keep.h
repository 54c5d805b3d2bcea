/// \file
/// Objects that live until the reverse sweep has run.

#pragma once

#include "ddx/ad/detail/arena.h"

#include <cstring>
#include <type_traits>
#include <utility>

namespace ddx::detail {

/// Moves `made` into the arena, where it lives until release. Uninitialised parts stay so.
///
/// Throws: std::bad_alloc.
template <class T>
[[nodiscard]] DDX_INLINE T& keep(Arena& arena, T& made) {
  if constexpr (std::is_trivially_copyable_v<T>) {
    T* const kept = arena.alloc<T>(1);
    std::memcpy(static_cast<void*>(kept), static_cast<const void*>(&made), sizeof(T));
    return *kept;
  } else {
    return *arena.make<T>(std::move(made));
  }
}

}  // namespace ddx::detail
