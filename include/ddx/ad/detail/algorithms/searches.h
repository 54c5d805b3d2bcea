/// \file
/// Searches and counts; which element is found does not vary. See algorithms.h.

#pragma once

#include "ddx/ad/detail/algorithms/function_objects.h"

#include <cstddef>
#include <initializer_list>

namespace ddx::detail::algorithms {

template <class It, class Less>
It max_element(It first, It last, Less less) {
  const std::ptrdiff_t count = last - first;
  std::ptrdiff_t best = 0;
  for (std::ptrdiff_t i = 1; i < count; ++i) {
    if (less(first[best], first[i])) {
      best = i;
    }
  }
  return first + best;
}

template <class It>
It max_element(It first, It last) {
  return algorithms::max_element(first, last, Ascending{});
}

template <class It, class Less>
It min_element(It first, It last, Less less) {
  const std::ptrdiff_t count = last - first;
  std::ptrdiff_t best = 0;
  for (std::ptrdiff_t i = 1; i < count; ++i) {
    if (less(first[i], first[best])) {
      best = i;
    }
  }
  return first + best;
}

template <class It>
It min_element(It first, It last) {
  return algorithms::min_element(first, last, Ascending{});
}

template <class T, class Less>
T max(std::initializer_list<T> list, Less less) {
  return *algorithms::max_element(list.begin(), list.end(), less);
}

template <class T>
T max(std::initializer_list<T> list) {
  return *algorithms::max_element(list.begin(), list.end(), Ascending{});
}

template <class T, class Less>
T min(std::initializer_list<T> list, Less less) {
  return *algorithms::min_element(list.begin(), list.end(), less);
}

template <class T>
T min(std::initializer_list<T> list) {
  return *algorithms::min_element(list.begin(), list.end(), Ascending{});
}

template <class It, class Predicate>
It find_if(It first, It last, Predicate predicate) {
  const std::ptrdiff_t count = last - first;
  std::ptrdiff_t i = 0;
  while (i < count && !predicate(first[i])) {
    ++i;
  }
  return first + i;
}

template <class It, class Predicate>
It find_if_not(It first, It last, Predicate predicate) {
  const std::ptrdiff_t count = last - first;
  std::ptrdiff_t i = 0;
  while (i < count && predicate(first[i])) {
    ++i;
  }
  return first + i;
}

template <class It, class T>
It find(It first, It last, const T& value) {
  const std::ptrdiff_t count = last - first;
  std::ptrdiff_t i = 0;
  while (i < count && !(first[i] == value)) {
    ++i;
  }
  return first + i;
}

template <class It, class T, class Less>
It lower_bound(It first, It last, const T& value, Less less) {
  std::ptrdiff_t count = last - first;
  std::ptrdiff_t low = 0;
  while (count > 0) {
    const std::ptrdiff_t half = count / 2;
    if (less(first[low + half], value)) {
      low += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first + low;
}

template <class It, class T>
It lower_bound(It first, It last, const T& value) {
  return algorithms::lower_bound(first, last, value, Ascending{});
}

template <class It, class T, class Less>
It upper_bound(It first, It last, const T& value, Less less) {
  std::ptrdiff_t count = last - first;
  std::ptrdiff_t low = 0;
  while (count > 0) {
    const std::ptrdiff_t half = count / 2;
    if (!less(value, first[low + half])) {
      low += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return first + low;
}

template <class It, class T>
It upper_bound(It first, It last, const T& value) {
  return algorithms::upper_bound(first, last, value, Ascending{});
}

template <class It, class Predicate>
std::ptrdiff_t count_if(It first, It last, Predicate predicate) {
  const std::ptrdiff_t count = last - first;
  std::ptrdiff_t found = 0;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    if (predicate(first[i])) {
      ++found;
    }
  }
  return found;
}

template <class It, class Predicate>
bool any_of(It first, It last, Predicate predicate) {
  const std::ptrdiff_t count = last - first;
  std::ptrdiff_t i = 0;
  while (i < count && !predicate(first[i])) {
    ++i;
  }
  return i < count;
}

template <class It, class Predicate>
bool all_of(It first, It last, Predicate predicate) {
  const std::ptrdiff_t count = last - first;
  std::ptrdiff_t i = 0;
  while (i < count && predicate(first[i])) {
    ++i;
  }
  return i == count;
}

template <class It, class Predicate>
bool none_of(It first, It last, Predicate predicate) {
  const std::ptrdiff_t count = last - first;
  std::ptrdiff_t i = 0;
  while (i < count && !predicate(first[i])) {
    ++i;
  }
  return i == count;
}

}  // namespace ddx::detail::algorithms
