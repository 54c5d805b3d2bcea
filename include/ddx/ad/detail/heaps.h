/// \file
/// What the compiler differentiates in the place of the heap functions of the standard library. See
/// algorithms.h. Among equal elements the order is that of libstdc++.

#pragma once

#include "ddx/ad/detail/algorithms.h"
#include "ddx/ad/detail/element_type.h"

#include <cstddef>
#include <vector>

namespace ddx::detail::algorithms {

/// Moves `value` from place `hole` up towards `top`.
template <CopiesElements It, class Less>
void raise_in_heap(It first, std::ptrdiff_t hole, std::ptrdiff_t top,
                   const ElementTypeOf<It>& value, Less less) {
  while (hole > top) {
    const std::ptrdiff_t parent = (hole - 1) / 2;
    if (!less(first[parent], value)) {
      break;
    }
    first[hole] = first[parent];
    hole = parent;
  }
  first[hole] = value;
}

/// Moves `value` from place `hole` down, and up again as far as it belongs.
template <CopiesElements It, class Less>
void sift_in_heap(It first, std::ptrdiff_t hole, std::ptrdiff_t count,
                  const ElementTypeOf<It>& value, Less less) {
  const std::ptrdiff_t top = hole;
  std::ptrdiff_t child = hole;
  while (child < (count - 1) / 2) {
    child = 2 * (child + 1);
    if (less(first[child], first[child - 1])) {
      --child;
    }
    first[hole] = first[child];
    hole = child;
  }
  if (count % 2 == 0 && child == (count - 2) / 2) {
    child = 2 * child + 1;
    first[hole] = first[child];
    hole = child;
  }
  algorithms::raise_in_heap(first, hole, top, value, less);
}

template <CopiesElements It, class Less>
void push_heap(It first, It last, Less less) {
  const std::ptrdiff_t count = last - first;
  const ElementTypeOf<It> value = first[count - 1];
  algorithms::raise_in_heap(first, count - 1, 0, value, less);
}

template <CopiesElements It>
void push_heap(It first, It last) {
  algorithms::push_heap(first, last, Ascending{});
}

template <CopiesElements It, class Less>
void pop_heap(It first, It last, Less less) {
  const std::ptrdiff_t count = last - first;
  if (count > 1) {
    const ElementTypeOf<It> value = first[count - 1];
    first[count - 1] = first[0];
    algorithms::sift_in_heap(first, 0, count - 1, value, less);
  }
}

template <CopiesElements It>
void pop_heap(It first, It last) {
  algorithms::pop_heap(first, last, Ascending{});
}

template <CopiesElements It, class Less>
void make_heap(It first, It last, Less less) {
  const std::ptrdiff_t count = last - first;
  for (std::ptrdiff_t parent = (count - 2) / 2; count > 1 && parent >= 0; --parent) {
    const ElementTypeOf<It> value = first[parent];
    algorithms::sift_in_heap(first, parent, count, value, less);
  }
}

template <CopiesElements It>
void make_heap(It first, It last) {
  algorithms::make_heap(first, last, Ascending{});
}

template <CopiesElements It, class Less>
void sort_heap(It first, It last, Less less) {
  for (std::ptrdiff_t count = last - first; count > 1; --count) {
    algorithms::pop_heap(first, first + count, less);
  }
}

template <CopiesElements It>
void sort_heap(It first, It last) {
  algorithms::sort_heap(first, last, Ascending{});
}

}  // namespace ddx::detail::algorithms
