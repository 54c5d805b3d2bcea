/// \file
/// What a std::optional or a std::variant holds, by the number of the alternative. An optional has
/// one alternative, number 0.

#pragma once

#include "ddx/ad/detail/choice_declaration.h"

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ddx::detail {

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_variant = false;
template <class... Ts>
inline constexpr bool is_variant<std::variant<Ts...>> = true;

/// A std::optional or a std::variant.
template <class T>
concept Choice = is_optional<std::remove_cv_t<T>> || is_variant<std::remove_cv_t<T>>;

/// The alternatives of a choice, as a tuple type.
template <class T>
struct AlternativesOf;
template <class T>
struct AlternativesOf<std::optional<T>> {
  using type = std::tuple<T>;
};
template <class... Ts>
struct AlternativesOf<std::variant<Ts...>> {
  using type = std::tuple<Ts...>;
};
template <std::size_t I, class T>
using AlternativeOf = std::tuple_element_t<I, typename AlternativesOf<std::remove_cv_t<T>>::type>;

/// Returns a pointer to alternative number `I`, or null where another one is held.
template <std::size_t I, Choice T>
[[nodiscard]] constexpr auto held_if(T& choice) noexcept {
  if constexpr (is_optional<std::remove_cv_t<T>>) {
    return choice ? __builtin_addressof(*choice) : nullptr;
  } else {
    return get_if<I>(__builtin_addressof(choice));
  }
}

/// Returns alternative number `I`, which must be held.
template <std::size_t I, Choice T>
[[nodiscard]] constexpr auto& held(T& choice) noexcept {
  if constexpr (is_optional<std::remove_cv_t<T>>) {
    return *choice;
  } else {
    return *get_if<I>(__builtin_addressof(choice));
  }
}

/// Makes `choice`, which is new, hold `value` as alternative number `I`.
template <std::size_t I, Choice T>
constexpr void hold(T& choice, AlternativeOf<I, T> value) {
  if constexpr (is_optional<T>) {
    choice.emplace(std::move(value));  // Objects with constant members cannot be assigned.
  } else {
    choice.template emplace<I>(std::move(value));
  }
}

/// Calls `function(std::integral_constant<std::size_t, I>{}, alternative)` with what is held, if
/// anything is.
template <Choice T, class Function>
constexpr void for_held(T& choice, Function function) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto visit = [&]<std::size_t N>(std::integral_constant<std::size_t, N> number) {
      if (auto* const found = held_if<N>(choice)) {
        function(number, *found);
      }
    };
    (visit(std::integral_constant<std::size_t, I>{}), ...);
  }(std::make_index_sequence<
      std::tuple_size_v<typename AlternativesOf<std::remove_cv_t<T>>::type>>{});
}

}  // namespace ddx::detail
