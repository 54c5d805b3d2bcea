/// \file
/// Vectors whose size a caller chose: no memory for one is an error of the library, as of tensors.

#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <vector>

namespace ddx {

namespace detail {
/// Throws:  EnvironmentError that names the operation and the number of elements.
[[noreturn]] void throw_no_memory(const char* operation, std::int64_t count);
}  // namespace detail

/// Returns `count` elements of the value `value`. Requires that `count` is not negative.
///
/// Throws:  EnvironmentError where the system has no memory for them. Names the operation.
template <class T>
[[nodiscard]] std::vector<T> host_vector(const char* operation, std::int64_t count,
                                         const T& value = T()) {
  try {
    return std::vector<T>(static_cast<std::size_t>(count), value);
  } catch (const std::bad_alloc&) {
    detail::throw_no_memory(operation, count);
  } catch (const std::length_error&) {
    detail::throw_no_memory(operation, count);
  }
}

/// Returns an empty vector with room for `count` elements.
///
/// Throws:  as host_vector.
template <class T>
[[nodiscard]] std::vector<T> host_vector_with_room(const char* operation, std::int64_t count) {
  std::vector<T> elements;
  try {
    elements.reserve(static_cast<std::size_t>(count));
  } catch (const std::bad_alloc&) {
    detail::throw_no_memory(operation, count);
  } catch (const std::length_error&) {
    detail::throw_no_memory(operation, count);
  }
  return elements;
}

}  // namespace ddx
