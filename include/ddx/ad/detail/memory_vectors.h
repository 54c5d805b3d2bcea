/// \file
/// What the compiler differentiates in the place of members of a std::vector that lies in memory,
/// where each number has its cotangent at its own address: elements that move are written again.

#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <vector>

namespace ddx::detail {

/// Empties a vector and gives it room for `count` elements. The compiler calls it as it stands.
template <class Vector>
void make_room(Vector& v, std::size_t count) {
  v.clear();
  v.reserve(count);
}

/// Changes the size of a vector within its room. The compiler calls it as it stands.
template <class Vector>
void set_size(Vector& v, std::size_t count) {
  v.resize(count);
}

/// Gives back the room that a vector does not use, once it is empty. As make_room.
template <class Vector>
void give_room_back(Vector& v, std::size_t count) {
  Vector().swap(v);
  v.reserve(count);
}

}  // namespace ddx::detail

namespace ddx::detail::algorithms {

/// `v.reserve(count)`: the elements go to where the room is.
template <class T>
void memory_reserve(std::vector<T>& v, std::size_t count) {
  if (count > v.capacity()) {
    const std::vector<T> whole = v;
    ddx::detail::make_room(v, count);
    v = whole;
  }
}

/// `v.shrink_to_fit()`.
template <class T>
void memory_shrink_to_fit(std::vector<T>& v) {
  const std::vector<T> whole = v;
  ddx::detail::give_room_back(v, whole.size());
  v = whole;
}

/// `v.push_back(value)`: `value` may be an element.
template <class T>
void memory_push_back(std::vector<T>& v, const T& given) {
  const T value = given;
  const std::size_t size = v.size();
  if (size == v.capacity()) {
    algorithms::memory_reserve(v, 2 * size + 1);
  }
  ddx::detail::set_size(v, size + 1);
  v[size] = value;
}

/// `v.emplace_back(...)`, except for what it returns.
template <class T, class... Arguments>
void memory_emplace_back(std::vector<T>& v, const Arguments&... arguments) {
  const T value(arguments...);
  algorithms::memory_push_back(v, value);
}

/// `v.resize(count)`.
template <class T>
void memory_resize(std::vector<T>& v, std::size_t count) {
  const std::size_t size = v.size();
  algorithms::memory_reserve(v, count);
  ddx::detail::set_size(v, count);
  for (std::size_t i = size; i < count; ++i) {
    v[i] = T();
  }
}

/// `v.resize(count, value)`.
template <class T>
void memory_resize(std::vector<T>& v, std::size_t count, const T& given) {
  const T value = given;
  const std::size_t size = v.size();
  algorithms::memory_reserve(v, count);
  ddx::detail::set_size(v, count);
  for (std::size_t i = size; i < count; ++i) {
    v[i] = value;
  }
}

/// `v.assign(count, value)`.
template <class T>
void memory_assign(std::vector<T>& v, std::size_t count, const T& given) {
  const std::vector<T> whole(count, given);
  v = whole;
}

/// `v.assign(first, last)`, of elements that are not those of `v`.
template <class T, class It>
  requires requires(It first) { *first; }
void memory_assign(std::vector<T>& v, It first, It last) {
  const std::vector<T> whole(first, last);
  v = whole;
}

/// `v.assign(list)`.
template <class T>
void memory_assign(std::vector<T>& v, std::initializer_list<T> list) {
  const std::vector<T> whole(list);
  v = whole;
}

/// Makes each of `count` elements again.
template <class T>
void memory_fill(T* first, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    first[i] = T();
  }
}

}  // namespace ddx::detail::algorithms
