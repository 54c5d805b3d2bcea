/// \file
/// Algorithms that reorder, sort or remove elements. See algorithms.h.

#pragma once

#include "ddx/ad/detail/algorithms/elements.h"
#include "ddx/ad/detail/algorithms/function_objects.h"
#include "ddx/ad/detail/element_type.h"

#include <concepts>
#include <cstddef>
#include <vector>

namespace ddx::detail::algorithms {

template <class It>
void reverse(It first, It last) {
  const std::ptrdiff_t count = last - first;
  for (std::ptrdiff_t i = 0; i < count / 2; ++i) {
    algorithms::swap(first[i], first[count - 1 - i]);
  }
}

template <class It, class Out>
Out reverse_copy(It first, It last, Out out) {
  const std::ptrdiff_t count = last - first;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    out[i] = first[count - 1 - i];
  }
  return out + count;
}

template <CopiesElements It>
It rotate(It first, It middle, It last) {
  const std::ptrdiff_t count = last - first;
  const std::ptrdiff_t before = middle - first;
  std::vector<ElementTypeOf<It>> turned;
  if constexpr (std::default_initializable<ElementTypeOf<It>>) {
    turned.resize(static_cast<std::size_t>(count));
  } else {
    turned.assign(first, last);
  }
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    turned[static_cast<std::size_t>(i)] = first[(i + before) % count];
  }
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    first[i] = turned[static_cast<std::size_t>(i)];
  }
  return first + (count - before);
}

/// The places of the elements in ascending order, equal ones in the order in which they stand.
/// Merges runs of doubling length.
template <class It, class Less>
std::vector<std::ptrdiff_t> ascending_order(It first, std::ptrdiff_t count, Less less) {
  std::vector<std::ptrdiff_t> order(static_cast<std::size_t>(count));
  std::vector<std::ptrdiff_t> merged(static_cast<std::size_t>(count));
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    order[static_cast<std::size_t>(i)] = i;
  }
  for (std::ptrdiff_t width = 1; width < count; width *= 2) {
    for (std::ptrdiff_t low = 0; low < count; low += 2 * width) {
      const std::ptrdiff_t middle = low + width < count ? low + width : count;
      const std::ptrdiff_t high = middle + width < count ? middle + width : count;
      std::ptrdiff_t left = low;
      std::ptrdiff_t right = middle;
      for (std::ptrdiff_t k = low; k < high; ++k) {
        bool takes_right = left >= middle;
        if (left < middle && right < high) {
          const std::ptrdiff_t here = order[static_cast<std::size_t>(left)];
          const std::ptrdiff_t there = order[static_cast<std::size_t>(right)];
          takes_right = less(first[there], first[here]);
        }
        if (takes_right) {
          merged[static_cast<std::size_t>(k)] = order[static_cast<std::size_t>(right)];
          ++right;
        } else {
          merged[static_cast<std::size_t>(k)] = order[static_cast<std::size_t>(left)];
          ++left;
        }
      }
    }
    order.swap(merged);
  }
  return order;
}

/// Moves each element once, so that the adjoint moves them back.
template <CopiesElements It>
void put_in_order(It first, std::ptrdiff_t count, const std::vector<std::ptrdiff_t>& order) {
  std::vector<ElementTypeOf<It>> sorted;
  if constexpr (std::default_initializable<ElementTypeOf<It>>) {
    sorted.resize(static_cast<std::size_t>(count));
  } else {
    sorted.assign(first, first + count);
  }
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    sorted[static_cast<std::size_t>(i)] = first[order[static_cast<std::size_t>(i)]];
  }
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    first[i] = sorted[static_cast<std::size_t>(i)];
  }
}

template <CopiesElements It, class Less>
void stable_sort(It first, It last, Less less) {
  const std::ptrdiff_t count = last - first;
  algorithms::put_in_order(first, count, algorithms::ascending_order(first, count, less));
}

template <CopiesElements It>
void stable_sort(It first, It last) {
  algorithms::stable_sort(first, last, Ascending{});
}

template <CopiesElements It, class Less>
void sort(It first, It last, Less less) {
  algorithms::stable_sort(first, last, less);
}

template <CopiesElements It>
void sort(It first, It last) {
  algorithms::stable_sort(first, last, Ascending{});
}

/// The order that std::nth_element and std::partial_sort leave open is the sorted one.
template <CopiesElements It, class Less>
void nth_element(It first, It, It last, Less less) {
  algorithms::stable_sort(first, last, less);
}

template <CopiesElements It>
void nth_element(It first, It, It last) {
  algorithms::stable_sort(first, last, Ascending{});
}

template <CopiesElements It, class Less>
void partial_sort(It first, It, It last, Less less) {
  algorithms::stable_sort(first, last, less);
}

template <CopiesElements It>
void partial_sort(It first, It, It last) {
  algorithms::stable_sort(first, last, Ascending{});
}

template <CopiesElements It, class Predicate>
It remove_if(It first, It last, Predicate predicate) {
  const std::ptrdiff_t count = last - first;
  std::ptrdiff_t kept = 0;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    if (!predicate(first[i])) {
      first[kept] = first[i];
      ++kept;
    }
  }
  return first + kept;
}

template <class It, class Out, class Predicate>
Out copy_if(It first, It last, Out out, Predicate predicate) {
  const std::ptrdiff_t count = last - first;
  std::ptrdiff_t kept = 0;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    if (predicate(first[i])) {
      out[kept] = first[i];
      ++kept;
    }
  }
  return out + kept;
}

}  // namespace ddx::detail::algorithms
