/// \file
/// The function objects of the standard library as plain functions, and the default comparison. See
/// algorithms.h.

#pragma once

namespace ddx::detail::algorithms {

template <class A, class B>
constexpr auto plus(const A& a, const B& b) {
  return a + b;
}

template <class A, class B>
constexpr auto minus(const A& a, const B& b) {
  return a - b;
}

template <class A, class B>
constexpr auto multiplies(const A& a, const B& b) {
  return a * b;
}

template <class A, class B>
constexpr auto divides(const A& a, const B& b) {
  return a / b;
}

template <class A>
constexpr auto negate(const A& a) {
  return -a;
}

template <class A, class B>
constexpr bool less(const A& a, const B& b) {
  return a < b;
}

template <class A, class B>
constexpr bool greater(const A& a, const B& b) {
  return a > b;
}

template <class A, class B>
constexpr bool less_equal(const A& a, const B& b) {
  return a <= b;
}

template <class A, class B>
constexpr bool greater_equal(const A& a, const B& b) {
  return a >= b;
}

template <class A, class B>
constexpr bool equal_to(const A& a, const B& b) {
  return a == b;
}

template <class A, class B>
constexpr bool not_equal_to(const A& a, const B& b) {
  return a != b;
}

/// The comparison of algorithms that are given none.
struct Ascending {
  template <class A, class B>
  constexpr bool operator()(const A& a, const B& b) const {
    return a < b;
  }
};

}  // namespace ddx::detail::algorithms
