/// \file
/// Objects that live until the reverse sweep has run.

#pragma once

#include "ddx/ad/detail/arena.h"

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace ddx::detail {

/// The largest object that is kept in the record itself.
inline constexpr std::size_t most_bytes_in_record = 256;

/// An object in the place where the record is; made later than that, or never. As with a pointer to
/// it, a constant record does not make it constant.
template <class T>
class KeptHere {
 public:
  [[nodiscard]] T& operator*() const noexcept {
    return *std::launder(reinterpret_cast<T*>(bytes_));
  }

 private:
  alignas(T) mutable std::byte bytes_[sizeof(T)];
};

/// How a record finds an object that it keeps.
template <class T>
using Kept =
    std::conditional_t<std::is_trivially_copyable_v<T> && sizeof(T) <= most_bytes_in_record,
                       KeptHere<T>, T*>;

/// Copies `made` into the record. Uninitialised parts stay so.
template <class T>
[[nodiscard]] DDX_INLINE T& keep(KeptHere<T>& slot, const T& made) {
  std::memcpy(static_cast<void*>(&*slot), static_cast<const void*>(&made), sizeof(T));
  return *slot;
}

/// Moves `made` into the arena, where it lives until release. Uninitialised parts stay so.
///
/// Throws: std::bad_alloc.
template <class T>
[[nodiscard]] DDX_INLINE T& keep(Arena& arena, T*& slot, T& made) {
  if constexpr (std::is_trivially_copyable_v<T>) {
    slot = arena.alloc<T>(1);
    std::memcpy(static_cast<void*>(slot), static_cast<const void*>(&made), sizeof(T));
  } else {
    slot = arena.make<T>(std::move(made));
  }
  return *slot;
}

}  // namespace ddx::detail
