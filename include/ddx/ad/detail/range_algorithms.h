/// \file
/// What the compiler differentiates in the place of the algorithms of namespace std::ranges, where
/// they are handed a range: those of algorithms.h, with projections. `ranges_sort` represents
/// `std::ranges::sort`, and so on. What the results say about where the input ended is left out.

#pragma once

#include "ddx/ad/detail/algorithms.h"
#include "ddx/ad/detail/element_type.h"

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddx::detail::algorithms {

template <class Range>
using IteratorOf = decltype(std::begin(std::declval<Range&>()));

/// A range whose elements are counted.
template <class Range>
concept Indexed = requires(Range& range) {
  std::begin(range)[0];
  std::end(range) - std::begin(range);
};

template <class Range>
concept CopiesItsElements = Indexed<Range> && CopiesElements<IteratorOf<Range>>;

/// What std::invoke returns: a member of `x`, or the result of a call.
template <class Function, class T>
constexpr decltype(auto) of(const Function& function, T&& x) {
  if constexpr (std::is_member_object_pointer_v<Function>) {
    return (x.*function);
  } else if constexpr (std::is_member_function_pointer_v<Function>) {
    return (x.*function)();
  } else {
    return function(std::forward<T>(x));
  }
}

template <class T>
constexpr T&& identity(T&& value) {
  return std::forward<T>(value);
}

// --- order

template <CopiesItsElements Range, class Less, class Projection>
void ranges_stable_sort(Range&& range, Less less, Projection projection) {
  const auto first = std::begin(range);
  const std::ptrdiff_t count = std::end(range) - first;
  using Projected = std::remove_cvref_t<decltype(algorithms::of(projection, first[0]))>;
  using Key = std::conditional_t<std::is_same_v<Projected, bool>, char, Projected>;
  std::vector<Key> keys(static_cast<std::size_t>(count));
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    keys[static_cast<std::size_t>(i)] = algorithms::of(projection, first[i]);
  }
  algorithms::put_in_order(first, count, algorithms::ascending_order(keys.begin(), count, less));
}

template <CopiesItsElements Range, class Less, class Projection>
void ranges_sort(Range&& range, Less less, Projection projection) {
  algorithms::ranges_stable_sort(range, less, projection);
}

template <CopiesItsElements Range>
void ranges_reverse(Range&& range) {
  algorithms::reverse(std::begin(range), std::end(range));
}

// --- element by element

template <Indexed Range, class Action, class Projection>
void ranges_for_each(Range&& range, Action action, Projection projection) {
  const auto first = std::begin(range);
  const std::ptrdiff_t count = std::end(range) - first;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    action(algorithms::of(projection, first[i]));
  }
}

template <Indexed Range, class Out, class Function, class Projection>
void ranges_transform(Range&& range, Out out, Function function, Projection projection) {
  const auto first = std::begin(range);
  const std::ptrdiff_t count = std::end(range) - first;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    out[i] = function(algorithms::of(projection, first[i]));
  }
}

template <Indexed A, Indexed B, class Out, class Function, class ProjectionA, class ProjectionB>
void ranges_transform(A&& a, B&& b, Out out, Function function, ProjectionA of_a,
                      ProjectionB of_b) {
  const auto first = std::begin(a);
  const auto other = std::begin(b);
  const std::ptrdiff_t most = std::end(a) - first;
  const std::ptrdiff_t others = std::end(b) - other;
  const std::ptrdiff_t count = most < others ? most : others;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    out[i] = function(algorithms::of(of_a, first[i]), algorithms::of(of_b, other[i]));
  }
}

template <CopiesItsElements Range, class Out>
void ranges_copy(Range&& range, Out out) {
  algorithms::copy(std::begin(range), std::end(range), out);
}

template <Indexed Range, class T>
void ranges_fill(Range&& range, const T& value) {
  algorithms::fill(std::begin(range), std::end(range), value);
}

template <Indexed Range, class Generator>
void ranges_generate(Range&& range, Generator generator) {
  algorithms::generate(std::begin(range), std::end(range), generator);
}

// --- searches: which element is found does not vary

/// The first of the greatest elements, or of the least.
template <bool is_greatest, Indexed Range, class Less, class Projection>
auto extreme(Range&& range, Less less, Projection projection) {
  const auto first = std::begin(range);
  const std::ptrdiff_t count = std::end(range) - first;
  std::ptrdiff_t best = 0;
  for (std::ptrdiff_t i = 1; i < count; ++i) {
    const std::ptrdiff_t low = is_greatest ? best : i;
    const std::ptrdiff_t high = is_greatest ? i : best;
    if (less(algorithms::of(projection, first[low]), algorithms::of(projection, first[high]))) {
      best = i;
    }
  }
  return first + best;
}

template <Indexed Range, class Less, class Projection>
auto ranges_max_element(Range&& range, Less less, Projection projection) {
  return algorithms::extreme<true>(range, less, projection);
}

template <Indexed Range, class Less, class Projection>
auto ranges_min_element(Range&& range, Less less, Projection projection) {
  return algorithms::extreme<false>(range, less, projection);
}

/// Of equal ones the first, as in std::ranges.
template <Indexed Range, class Less, class Projection>
ElementTypeOf<IteratorOf<Range>> ranges_max(Range&& range, Less less, Projection projection) {
  return *algorithms::ranges_max_element(range, less, projection);
}

template <Indexed Range, class Less, class Projection>
ElementTypeOf<IteratorOf<Range>> ranges_min(Range&& range, Less less, Projection projection) {
  return *algorithms::ranges_min_element(range, less, projection);
}

template <Indexed Range, class Predicate, class Projection>
std::ptrdiff_t ranges_count_if(Range&& range, Predicate predicate, Projection projection) {
  const auto first = std::begin(range);
  const std::ptrdiff_t count = std::end(range) - first;
  std::ptrdiff_t found = 0;
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    if (predicate(algorithms::of(projection, first[i]))) {
      ++found;
    }
  }
  return found;
}

template <Indexed Range, class Predicate, class Projection>
auto ranges_find_if(Range&& range, Predicate predicate, Projection projection) {
  const auto first = std::begin(range);
  const std::ptrdiff_t count = std::end(range) - first;
  std::ptrdiff_t i = 0;
  while (i < count && !predicate(algorithms::of(projection, first[i]))) {
    ++i;
  }
  return first + i;
}

template <Indexed Range, class Predicate, class Projection>
bool ranges_any_of(Range&& range, Predicate predicate, Projection projection) {
  return algorithms::ranges_count_if(range, predicate, projection) > 0;
}

template <Indexed Range, class Predicate, class Projection>
bool ranges_none_of(Range&& range, Predicate predicate, Projection projection) {
  return algorithms::ranges_count_if(range, predicate, projection) == 0;
}

template <Indexed Range, class Predicate, class Projection>
bool ranges_all_of(Range&& range, Predicate predicate, Projection projection) {
  return algorithms::ranges_count_if(range, predicate, projection) == std::ssize(range);
}

}  // namespace ddx::detail::algorithms
