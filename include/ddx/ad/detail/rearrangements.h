/// \file
/// What the compiler differentiates in the place of algorithms that take elements out, part them
/// and merge them. See algorithms.h; the order of the elements is that of libstdc++.

#pragma once

#include "ddx/ad/detail/algorithms.h"

#include <cstddef>
#include <vector>

namespace ddx::detail::algorithms {

template <CopiesElements It, class Equal>
It unique(It first, It last, Equal equal) {
  const std::ptrdiff_t count = last - first;
  std::ptrdiff_t kept = 0;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    if (i == 0 || !equal(first[kept - 1], first[i])) {
      first[kept] = first[i];
      ++kept;
    }
  }
  return first + kept;
}

template <CopiesElements It>
It unique(It first, It last) {
  return algorithms::unique(first, last, [](const auto& a, const auto& b) { return a == b; });
}

template <class It, class Out, class Equal>
Out unique_copy(It first, It last, Out out, Equal equal) {
  const std::ptrdiff_t count = last - first;
  std::ptrdiff_t kept = 0;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    if (i == 0 || !equal(out[kept - 1], first[i])) {
      out[kept] = first[i];
      ++kept;
    }
  }
  return out + kept;
}

template <class It, class Out>
Out unique_copy(It first, It last, Out out) {
  return algorithms::unique_copy(first, last, out,
                                 [](const auto& a, const auto& b) { return a == b; });
}

/// `std::erase_if(v, predicate)`.
template <class T, class Predicate>
void erase_if(std::vector<T>& v, Predicate predicate) {
  const std::size_t count = v.size();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!predicate(v[i])) {
      v[kept] = v[i];
      ++kept;
    }
  }
  for (std::size_t i = kept; i < count; ++i) {
    v.pop_back();
  }
}

/// The same where the number of elements that are gone is read.
template <class T, class Predicate>
std::size_t used_erase_if(std::vector<T>& v, Predicate predicate) {
  const std::size_t count = v.size();
  algorithms::erase_if(v, predicate);
  return count - v.size();
}

/// Exchanges the first element in the wrong part with the last one, until the parts meet.
template <CopiesElements It, class Predicate>
It partition(It first, It last, Predicate predicate) {
  std::ptrdiff_t low = 0;
  std::ptrdiff_t high = last - first;
  while (low < high) {
    if (predicate(first[low])) {
      ++low;
    } else {
      --high;
      while (low < high && !predicate(first[high])) {
        --high;
      }
      if (low < high) {
        algorithms::swap(first[low], first[high]);
        ++low;
      }
    }
  }
  return first + low;
}

template <CopiesElements It, class Predicate>
It stable_partition(It first, It last, Predicate predicate) {
  const std::ptrdiff_t count = last - first;
  std::vector<std::ptrdiff_t> order(static_cast<std::size_t>(count));
  std::size_t at = 0;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    if (predicate(first[i])) {
      order[at] = i;
      ++at;
    }
  }
  const auto middle = static_cast<std::ptrdiff_t>(at);
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    if (!predicate(first[i])) {
      order[at] = i;
      ++at;
    }
  }
  algorithms::put_in_order(first, count, order);
  return first + middle;
}

template <class A, class B, class Out, class Less>
Out merge(A first, A last, B other, B other_last, Out out, Less less) {
  const std::ptrdiff_t count = last - first;
  const std::ptrdiff_t other_count = other_last - other;
  std::ptrdiff_t i = 0;
  std::ptrdiff_t j = 0;
  while (i < count || j < other_count) {
    if (i == count || (j < other_count && less(other[j], first[i]))) {
      out[i + j] = other[j];
      ++j;
    } else {
      out[i + j] = first[i];
      ++i;
    }
  }
  return out + (count + other_count);
}

template <class A, class B, class Out>
Out merge(A first, A last, B other, B other_last, Out out) {
  return algorithms::merge(first, last, other, other_last, out, Ascending{});
}

template <CopiesElements It, class Less>
void inplace_merge(It first, It, It last, Less less) {
  algorithms::stable_sort(first, last, less);
}

template <CopiesElements It>
void inplace_merge(It first, It, It last) {
  algorithms::stable_sort(first, last, Ascending{});
}

template <class It, class Size, class Function>
void for_each_n(It first, Size count, Function function) {
  for (Size i = 0; i < count; ++i) {
    function(first[i]);
  }
}

}  // namespace ddx::detail::algorithms
