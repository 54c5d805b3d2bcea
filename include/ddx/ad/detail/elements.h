/// \file
/// Adjoints of vectors by pointers to their elements.

#pragma once

#include "ddx/ad/detail/accumulate.h"

#include <cstddef>
#include <vector>

namespace ddx::detail {

/// Adds `count` numbers.
template <class T>
void add_elements(T* __restrict into, const T* __restrict from, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    into[i] += from[i];
  }
}

/// Adds a vector's elements; one without elements counts as zeros.
template <class T>
void add_elements(T* into, const std::vector<T>& from) {
  add_elements(into, from.data(), from.size());
}

/// Adds to a vector, where no elements count as zeros.
///
/// Throws: UsageError where the lengths differ.
template <class T>
void add_elements(std::vector<T>& into, const T* from, std::size_t count) {
  if (into.empty()) {
    into.assign(from, from + count);
    return;
  }
  if (into.size() != count) {
    throw_length_mismatch("accumulate", into.size(), "one", count);
  }
  add_elements(into.data(), from, count);
}

/// The elements of a cotangent of `count` numbers; without elements, it becomes zeros.
///
/// Throws: UsageError where it has another length.
template <class T>
[[nodiscard]] T* elements(std::vector<T>& cotangent, std::size_t count) {
  if (cotangent.empty()) {
    cotangent.resize(count);
  } else if (cotangent.size() != count) {
    throw_length_mismatch("accumulate", count, "one", cotangent.size());
  }
  return cotangent.data();
}

/// Elements of an array, for a loop over them.
template <class T>
struct ElementRange {
  T* first;
  std::size_t count;

  [[nodiscard]] T* begin() const { return first; }
  [[nodiscard]] T* end() const { return first + count; }
};

template <class T>
[[nodiscard]] ElementRange<T> element_range(T* first, std::size_t count) {
  return {first, count};
}

}  // namespace ddx::detail
