/// \file
/// The numbers inside an input or a tangent: listed one behind the other, and replaced by numbers
/// of another type.

#pragma once

#include <concepts>
#include <cstddef>
#include <tuple>
#include <vector>

namespace ddx::bench {

/// A number that a gradient is taken by.
template <class T>
concept Real = std::same_as<T, float> || std::same_as<T, double>;

/// Something with elements.
template <class T>
concept Sequence = requires(const T& t) { t.begin() != t.end(); };

namespace detail {

template <class T, class Number>
struct Rebound;

template <Real T, class Number>
struct Rebound<T, Number> {
  using Type = Number;
};

template <class T, class Number>
struct Rebound<std::vector<T>, Number> {
  using Type = std::vector<typename Rebound<T, Number>::Type>;
};

/// A class template over its numbers.
template <template <class> class Class, Real T, class Number>
struct Rebound<Class<T>, Number> {
  using Type = Class<Number>;
};

}  // namespace detail

/// `T` with `Number` in place of float and double.
template <class T, class Number>
using Rebound = typename detail::Rebound<T, Number>::Type;

/// Appends the numbers of `from` to `flat`, in the order in which they are declared.
template <class T>
void append_numbers(const T& from, std::vector<double>& flat) {
  if constexpr (Real<T>) {
    flat.push_back(from);
  } else if constexpr (Sequence<T>) {
    for (const auto& element : from) {
      append_numbers(element, flat);
    }
  } else {
    std::apply([&](const auto&... fields) { (append_numbers(fields, flat), ...); },
               from.ddx_fields());
  }
}

/// Returns something shaped like `from` whose numbers stand from `next` on; moves `next` behind
/// them.
template <class Number, class T>
Rebound<T, Number> with_numbers(const T& from, const Number*& next) {
  if constexpr (Real<T>) {
    return *next++;
  } else if constexpr (Sequence<T>) {
    Rebound<T, Number> to;
    for (const auto& element : from) {
      to.push_back(with_numbers(element, next));
    }
    return to;
  } else {
    Rebound<T, Number> to;
    const auto assign = [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((std::get<I>(to.ddx_fields()) = with_numbers(std::get<I>(from.ddx_fields()), next)), ...);
    };
    assign(std::make_index_sequence<std::tuple_size_v<decltype(from.ddx_fields())>>{});
    return to;
  }
}

}  // namespace ddx::bench
