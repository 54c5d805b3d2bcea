/// \file
/// What the compiler differentiates in the place of members of std::vector: `vector_insert(v, ...)`
/// for `v.insert(...)`. See algorithms.h.

#pragma once

#include "ddx/ad/detail/algorithms.h"

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

namespace ddx::detail::algorithms {

/// A copy of the elements of a vector that lies in memory, and of those of a named one into it.
template <class T>
void copy_from_memory(std::vector<T>& to, const T* from) {
  const std::size_t count = to.size();
  for (std::size_t i = 0; i < count; ++i) {
    to[i] = from[i];
  }
}

template <class T>
void copy_to_memory(const std::vector<T>& from, T* to) {
  const std::size_t count = from.size();
  for (std::size_t i = 0; i < count; ++i) {
    to[i] = from[i];
  }
}

template <class Vector, class T>
void vector_resize(Vector& v, std::size_t count, const T& given) {
  const typename Vector::value_type value = given;
  const std::size_t before = v.size();
  if constexpr (std::default_initializable<typename Vector::value_type>) {
    v.resize(count);
    for (std::size_t i = before; i < count; ++i) {
      v[i] = value;
    }
  } else {
    for (std::size_t i = before; i < count; ++i) {
      v.push_back(value);
    }
    for (std::size_t i = count; i < before; ++i) {
      v.pop_back();
    }
  }
}

/// `v.assign(first, last)`, and the constructor from a range.
template <class Vector, class It>
  requires requires(It first) { *first; }
void vector_assign(Vector& v, It first, It last) {
  const std::ptrdiff_t count = last - first;
  v.clear();
  if constexpr (std::default_initializable<typename Vector::value_type>) {
    v.resize(static_cast<std::size_t>(count));
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      v[static_cast<std::size_t>(i)] = first[i];
    }
  } else {
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      v.push_back(first[i]);
    }
  }
}

/// `v.assign(list)`, and the constructor from a list that is passed.
template <class Vector, class T>
void vector_assign(Vector& v, std::initializer_list<T> list) {
  algorithms::vector_assign(v, list.begin(), list.end());
}

/// `v.assign(count, value)`, and the constructor of equal elements.
template <class Vector, class T>
void vector_assign(Vector& v, std::size_t count, const T& given) {
  const typename Vector::value_type value = given;
  v.clear();
  algorithms::vector_resize(v, count, value);
}

template <class Vector, class... Arguments>
  requires(!std::constructible_from<typename Vector::value_type, const Arguments&...>)
void vector_emplace_back(Vector& v, Arguments&&... arguments) {
  v.push_back(typename Vector::value_type(std::forward<Arguments>(arguments)...));
}

template <class Vector, class... Arguments>
  requires std::constructible_from<typename Vector::value_type, const Arguments&...>
void vector_emplace_back(Vector& v, const Arguments&... arguments) {
  v.push_back(typename Vector::value_type(arguments...));
}

/// Makes room for `count` elements before place `at`.
template <class Vector>
void vector_open(Vector& v, std::size_t at, std::size_t count) {
  const std::size_t before = v.size();
  v.resize(before + count);
  for (std::size_t i = before; i > at; --i) {
    v[i - 1 + count] = std::move(v[i - 1]);
  }
}

template <class Vector, class Place, std::convertible_to<typename Vector::value_type> T>
auto vector_insert(Vector& v, Place at, const T& given) {
  const std::ptrdiff_t place = at - v.begin();
  const typename Vector::value_type value = given;
  if constexpr (std::default_initializable<typename Vector::value_type>) {
    algorithms::vector_open(v, static_cast<std::size_t>(place), 1);
    v[static_cast<std::size_t>(place)] = value;
  } else {
    v.push_back(value);
    algorithms::rotate(v.begin() + place, v.end() - 1, v.end());
  }
  return v.begin() + place;
}

template <class Vector, class Place, std::convertible_to<typename Vector::value_type> T>
auto vector_insert(Vector& v, Place at, std::size_t count, const T& given) {
  const std::ptrdiff_t place = at - v.begin();
  const typename Vector::value_type value = given;
  if constexpr (std::default_initializable<typename Vector::value_type>) {
    algorithms::vector_open(v, static_cast<std::size_t>(place), count);
    for (std::size_t i = 0; i < count; ++i) {
      v[static_cast<std::size_t>(place) + i] = value;
    }
  } else {
    const std::size_t before = v.size();
    algorithms::vector_resize(v, before + count, value);
    algorithms::rotate(v.begin() + place, v.begin() + static_cast<std::ptrdiff_t>(before), v.end());
  }
  return v.begin() + place;
}

template <class Vector, class Place, class It>
  requires requires(It first) { *first; }
auto vector_insert(Vector& v, Place at, It first, It last) {
  const std::ptrdiff_t place = at - v.begin();
  const std::ptrdiff_t count = last - first;
  if constexpr (std::default_initializable<typename Vector::value_type>) {
    algorithms::vector_open(v, static_cast<std::size_t>(place), static_cast<std::size_t>(count));
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      v[static_cast<std::size_t>(place + i)] = first[i];
    }
  } else {
    const std::ptrdiff_t before = std::ssize(v);
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      v.push_back(first[i]);
    }
    algorithms::rotate(v.begin() + place, v.begin() + before, v.end());
  }
  return v.begin() + place;
}

template <class Vector, class Place, std::convertible_to<typename Vector::value_type> T>
auto vector_emplace(Vector& v, Place at, const T& given) {
  return algorithms::vector_insert(v, at, given);
}

template <class Vector, class Place>
auto vector_erase(Vector& v, Place first, Place last) {
  const std::ptrdiff_t place = first - v.begin();
  const std::ptrdiff_t count = last - first;
  const std::size_t size = v.size();
  for (std::size_t i = static_cast<std::size_t>(place + count); i < size; ++i) {
    v[i - static_cast<std::size_t>(count)] = std::move(v[i]);
  }
  if constexpr (std::default_initializable<typename Vector::value_type>) {
    v.resize(size - static_cast<std::size_t>(count));
  } else {
    for (std::ptrdiff_t i = 0; i < count; ++i) {
      v.pop_back();
    }
  }
  return v.begin() + place;
}

template <class Vector, class Place>
auto vector_erase(Vector& v, Place at) {
  const std::ptrdiff_t place = at - v.begin();
  const std::size_t size = v.size();
  for (std::size_t i = static_cast<std::size_t>(place) + 1; i < size; ++i) {
    v[i - 1] = std::move(v[i]);
  }
  v.pop_back();
  return v.begin() + place;
}

}  // namespace ddx::detail::algorithms
