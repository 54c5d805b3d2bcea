/// \file
/// Room in a vector, so that what is appended later cannot fail.

#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace ddx::backend::lazy {

/// Makes room for so many more elements.
///
/// Throws:  std::bad_alloc.
/// Cost:    as that of appending them, over many calls.
template <class T>
void make_room(std::vector<T>& elements, std::size_t count) {
  if (elements.capacity() - elements.size() < count) [[unlikely]] {
    elements.reserve(std::max(2 * elements.capacity(), elements.size() + count));
  }
}

}  // namespace ddx::backend::lazy
