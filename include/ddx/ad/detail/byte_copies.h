/// \file
/// What the compiler differentiates in the place of std::memcpy, std::memmove and std::memset where
/// they move objects with real numbers. See algorithms.h.

#pragma once

#include "ddx/ad/detail/algorithms.h"
#include "ddx/ad/detail/failures.h"

#include <cstddef>
#include <type_traits>
#include <vector>

namespace ddx::detail::algorithms {

/// The number of objects of `size` bytes in `bytes`.
///
/// Throws:  UsageError where a part of one is left over, whose numbers no derivative could follow.
inline std::ptrdiff_t whole_objects(const char* function, std::size_t bytes, std::size_t size) {
  if (bytes % size != 0) {
    throw_partial_object(function, bytes, size);
  }
  return static_cast<std::ptrdiff_t>(bytes / size);
}

template <class T>
  requires(std::is_trivially_copyable_v<T>)
T* memcpy(T* to, const T* from, std::size_t bytes) {
  const std::ptrdiff_t count = algorithms::whole_objects("memcpy", bytes, sizeof(T));
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    to[i] = from[i];
  }
  return to;
}

/// The places may overlap.
template <class T>
  requires(std::is_trivially_copyable_v<T>)
T* memmove(T* to, const T* from, std::size_t bytes) {
  const std::ptrdiff_t count = algorithms::whole_objects("memmove", bytes, sizeof(T));
  const std::vector<T> kept(from, from + count);
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    to[i] = kept[static_cast<std::size_t>(i)];
  }
  return to;
}

/// Throws: UsageError for another byte than zero: the numbers would come from nowhere.
template <class T>
  requires(std::is_trivially_copyable_v<T>)
T* memset(T* to, int byte, std::size_t bytes) {
  if (byte != 0) {
    throw_filled_bytes(byte);
  }
  const std::ptrdiff_t count = algorithms::whole_objects("memset", bytes, sizeof(T));
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    to[i] = T{};
  }
  return to;
}

}  // namespace ddx::detail::algorithms
