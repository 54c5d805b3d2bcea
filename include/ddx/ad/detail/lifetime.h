/// \file
/// Begin and end of objects in raw memory: the functions of <memory> without that header.

#pragma once

#include <cstddef>
#include <new>
#include <type_traits>

namespace ddx::detail {

/// Ends an object; the elements of an array one by one.
template <class T>
constexpr void destroy(T& object) noexcept {
  if constexpr (std::is_array_v<T>) {
    for (auto& element : object) {
      destroy(element);
    }
  } else {
    object.~T();
  }
}

/// Ends `count` objects, the last one first.
template <class T>
constexpr void destroy_backward(T* objects, std::size_t count) noexcept {
  while (count > 0) {
    destroy(objects[--count]);
  }
}

/// Begins `count` objects without arguments, zeros where there is no constructor.
///
/// Throws: what a constructor throws; the objects before it are then ended.
template <class T>
constexpr void construct_values(T* objects, std::size_t count) {
  struct Guard {
    T* objects;
    std::size_t made = 0;
    bool complete = false;

    constexpr ~Guard() {
      if (!complete) {
        destroy_backward(objects, made);
      }
    }
  };
  Guard guard{objects};
  for (; guard.made < count; ++guard.made) {
    ::new (static_cast<void*>(objects + guard.made)) T();
  }
  guard.complete = true;
}

}  // namespace ddx::detail
