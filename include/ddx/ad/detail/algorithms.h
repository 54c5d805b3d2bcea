/// \file
/// What the compiler differentiates in the place of the algorithms and function objects of the
/// standard library: the same results by plain loops. A function here represents the one of the
/// same name in namespace std; programs do not call it.
///
/// Each has one exit, so that those that return iterators can be lowered where they are called.

#pragma once

#include "ddx/ad/detail/element_type.h"

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddx::detail::algorithms {

// --- objects in memory

/// What std::make_unique and std::make_shared make, before they own it.
template <class T, class... Args>
T* create(Args&&... args) {
  return new T(std::forward<Args>(args)...);
}

// --- elements

/// An iterator over elements that plain functions may copy to and fro. What cannot be copied,
/// owning pointers, is moved by the library itself.
template <class It>
concept CopiesElements = std::is_copy_assignable_v<ElementTypeOf<It>>;

// --- function objects

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

// --- exchange of values

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

// --- sums and scans

template <class It, class T>
T accumulate(It first, It last, T init) {
  const std::ptrdiff_t count = last - first;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    init = init + first[i];
  }
  return init;
}

template <class It, class T, class Operation>
T accumulate(It first, It last, T init, Operation operation) {
  const std::ptrdiff_t count = last - first;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    init = operation(init, first[i]);
  }
  return init;
}

template <class It, class T>
T reduce(It first, It last, T init) {
  return algorithms::accumulate(first, last, init);
}

template <class It>
ElementTypeOf<It> reduce(It first, It last) {
  return algorithms::accumulate(first, last, ElementTypeOf<It>{});
}

template <class It, class T, class Operation>
T reduce(It first, It last, T init, Operation operation) {
  return algorithms::accumulate(first, last, init, operation);
}

template <class A, class B, class T>
T inner_product(A first, A last, B other, T init) {
  const std::ptrdiff_t count = last - first;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    init = init + first[i] * other[i];
  }
  return init;
}

template <class A, class B, class T, class Sum, class Product>
T inner_product(A first, A last, B other, T init, Sum sum, Product product) {
  const std::ptrdiff_t count = last - first;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    init = sum(init, product(first[i], other[i]));
  }
  return init;
}

template <class A, class B, class T>
T transform_reduce(A first, A last, B other, T init) {
  return algorithms::inner_product(first, last, other, init);
}

template <class A, class B, class T, class Sum, class Product>
T transform_reduce(A first, A last, B other, T init, Sum sum, Product product) {
  return algorithms::inner_product(first, last, other, init, sum, product);
}

template <class It, class T, class Sum, class Transform>
T transform_reduce(It first, It last, T init, Sum sum, Transform transform) {
  const std::ptrdiff_t count = last - first;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    init = sum(init, transform(first[i]));
  }
  return init;
}

template <class It, class Out, class Operation>
Out partial_sum(It first, It last, Out out, Operation operation) {
  const std::ptrdiff_t count = last - first;
  if (count > 0) {
    ElementTypeOf<It> sum = first[0];
    out[0] = sum;
    for (std::ptrdiff_t i = 1; i < count; ++i) {
      sum = operation(sum, first[i]);
      out[i] = sum;
    }
  }
  return out + count;
}

template <class It, class Out>
Out partial_sum(It first, It last, Out out) {
  const std::ptrdiff_t count = last - first;
  if (count > 0) {
    ElementTypeOf<It> sum = first[0];
    out[0] = sum;
    for (std::ptrdiff_t i = 1; i < count; ++i) {
      sum = sum + first[i];
      out[i] = sum;
    }
  }
  return out + count;
}

template <class It, class Out>
Out inclusive_scan(It first, It last, Out out) {
  return algorithms::partial_sum(first, last, out);
}

template <class It, class Out, class T>
Out exclusive_scan(It first, It last, Out out, T init) {
  const std::ptrdiff_t count = last - first;
  T sum = init;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const T before = sum;
    sum = sum + first[i];
    out[i] = before;
  }
  return out + count;
}

template <class It, class Out>
Out adjacent_difference(It first, It last, Out out) {
  const std::ptrdiff_t count = last - first;
  if (count > 0) {
    ElementTypeOf<It> before = first[0];
    out[0] = before;
    for (std::ptrdiff_t i = 1; i < count; ++i) {
      const ElementTypeOf<It> here = first[i];
      out[i] = here - before;
      before = here;
    }
  }
  return out + count;
}

template <class It, class T>
void iota(It first, It last, T value) {
  const std::ptrdiff_t count = last - first;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    first[i] = value;
    ++value;
  }
}

// --- element by element

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

// --- another order

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

// --- searches: which element is found does not vary

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
