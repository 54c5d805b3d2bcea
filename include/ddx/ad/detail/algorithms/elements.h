/// \file
/// Algorithms that exchange, write or copy elements one by one. See algorithms.h.

#pragma once

#include "ddx/ad/detail/element_type.h"

#include <cstddef>
#include <type_traits>
#include <utility>

namespace ddx::detail::algorithms {

/// An iterator over elements that plain functions may copy to and fro. What cannot be copied,
/// owning pointers, is moved by the library itself.
template <class It>
concept CopiesElements = std::is_copy_assignable_v<ElementTypeOf<It>>;

template <class T>
void swap(T& a, T& b) {
  T kept = std::move(a);
  a = std::move(b);
  b = std::move(kept);
}

template <class T, std::size_t N>
void swap(T (&a)[N], T (&b)[N]) {
  for (std::size_t i = 0; i < N; ++i) {
    algorithms::swap(a[i], b[i]);
  }
}

template <class T, class Given>
T exchange(T& object, Given&& given) {
  T kept = std::move(object);
  object = std::forward<Given>(given);
  return kept;
}

template <class A, class B>
void iter_swap(A a, B b) {
  algorithms::swap(*a, *b);
}

template <class A, class B>
B swap_ranges(A first, A last, B other) {
  const std::ptrdiff_t count = last - first;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    algorithms::swap(first[i], other[i]);
  }
  return other + count;
}

template <class It, class Action>
void for_each(It first, It last, Action action) {
  const std::ptrdiff_t count = last - first;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    action(first[i]);
  }
}

/// std::for_each whose result is used: what the function object has become.
template <class It, class Action>
Action used_for_each(It first, It last, Action action) {
  const std::ptrdiff_t count = last - first;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    action(first[i]);
  }
  return action;
}

template <class It, class Out, class Function>
Out transform(It first, It last, Out out, Function function) {
  const std::ptrdiff_t count = last - first;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    out[i] = function(first[i]);
  }
  return out + count;
}

template <class A, class B, class Out, class Function>
Out transform(A first, A last, B other, Out out, Function function) {
  const std::ptrdiff_t count = last - first;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    out[i] = function(first[i], other[i]);
  }
  return out + count;
}

template <class It, class Generator>
void generate(It first, It last, Generator generator) {
  const std::ptrdiff_t count = last - first;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    first[i] = generator();
  }
}

template <class It, class Size, class Generator>
It generate_n(It first, Size size, Generator generator) {
  const std::ptrdiff_t count = size > 0 ? static_cast<std::ptrdiff_t>(size) : 0;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    first[i] = generator();
  }
  return first + count;
}

template <class It, class T>
void fill(It first, It last, const T& given) {
  const std::ptrdiff_t count = last - first;
  const T value = given;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    first[i] = value;
  }
}

template <class It, class Size, class T>
It fill_n(It first, Size size, const T& given) {
  const std::ptrdiff_t count = size > 0 ? static_cast<std::ptrdiff_t>(size) : 0;
  const T value = given;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    first[i] = value;
  }
  return first + count;
}

template <class It, class Out>
Out copy(It first, It last, Out out) {
  const std::ptrdiff_t count = last - first;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    out[i] = first[i];
  }
  return out + count;
}

template <class It, class Size, class Out>
Out copy_n(It first, Size size, Out out) {
  const std::ptrdiff_t count = size > 0 ? static_cast<std::ptrdiff_t>(size) : 0;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    out[i] = first[i];
  }
  return out + count;
}

template <class It, class Out>
Out copy_backward(It first, It last, Out out) {
  const std::ptrdiff_t count = last - first;
  for (std::ptrdiff_t i = count - 1; i >= 0; --i) {
    out[i - count] = first[i];
  }
  return out - count;
}

/// `std::move(first, last, out)`.
template <CopiesElements It, class Out>
Out move(It first, It last, Out out) {
  const std::ptrdiff_t count = last - first;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    out[i] = std::move(first[i]);
  }
  return out + count;
}

template <class It, class T>
void replace(It first, It last, const T& old, const T& given) {
  const std::ptrdiff_t count = last - first;
  const T value = given;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    if (first[i] == old) {
      first[i] = value;
    }
  }
}

template <class It, class Predicate, class T>
void replace_if(It first, It last, Predicate predicate, const T& given) {
  const std::ptrdiff_t count = last - first;
  const T value = given;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    if (predicate(first[i])) {
      first[i] = value;
    }
  }
}

}  // namespace ddx::detail::algorithms
