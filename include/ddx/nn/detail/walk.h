/// \file
/// The walk through a model and things of the same form.

#pragma once

#include "ddx/ad/detail/choices.h"
#include "ddx/ad/detail/tangent_kinds.h"
#include "ddx/ad/tangent.h"
#include "ddx/core/dtype.h"
#include "ddx/nn/path.h"
#include "ddx/tensor/tensor.h"

#include <array>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ddx::nn::detail {

/// Throws: UsageError where a list and its counterpart differ in length: "visit: blocks has 2
///         elements, its counterpart has 0".
void require_equal_lengths(const Path& path, std::size_t first, std::size_t other);

/// Throws: UsageError where two choices hold alternatives of different numbers, -1 for none:
///         "visit: skip holds alternative 0, its counterpart nothing".
void require_equal_alternatives(const Path& path, int first, int other);

/// Throws: UsageError: "visit: experts has the key north, its counterpart does not".
[[noreturn]] void throw_no_key(const Path& path, const std::string& key);

template <class T>
inline constexpr bool is_floating_tensor = false;
template <FloatingScalar Scalar>
inline constexpr bool is_floating_tensor<Tensor<Scalar>> = true;

/// A value that optimisers change as a whole: a tensor or a number, both floating.
template <class T>
concept Parameter = std::is_floating_point_v<T> || is_floating_tensor<T>;

/// Splits "a, b, c" as DDX_DIFFERENTIABLE writes it.
template <std::size_t Count>
constexpr std::array<std::string_view, Count> split_names(std::string_view text) {
  std::array<std::string_view, Count> names;
  for (auto& name : names) {
    const auto end = text.find(',');
    name = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    text.remove_prefix(text.find_first_not_of(' ') == std::string_view::npos
                           ? text.size()
                           : text.find_first_not_of(' '));
  }
  return names;
}

/// The key of a map as a part of a path.
template <class Key>
[[nodiscard]] std::string key_text(const Key& key) {
  if constexpr (std::convertible_to<const Key&, std::string_view>) {
    return std::string(std::string_view(key));
  } else {
    static_assert(std::integral<Key>,
                  "ddx: the keys of a map with parameters are texts or whole numbers");
    return std::to_string(key);
  }
}

/// The number of the alternative held; -1 for none.
template <ddx::detail::Choice T>
[[nodiscard]] int held_number(const T& choice) {
  int number = -1;
  ddx::detail::for_held(choice,
                        [&](auto held, const auto&) { number = static_cast<int>(held.value); });
  return number;
}

/// Alternative number `I` of a choice that holds it, or of its tangent, a tuple with a place for
/// each alternative.
template <std::size_t I, class T>
[[nodiscard]] auto& alternative_of(T& part) {
  if constexpr (ddx::detail::Choice<T>) {
    return ddx::detail::held<I>(part);
  } else {
    return std::get<I>(part);
  }
}

/// Calls `function` with the number, as a type, of the alternative that each choice among the parts
/// holds, if they hold one. Parts that are tangents of choices have them all.
template <class Function, class First, class... Others>
void for_held_by_all(const Path& path, Function function, const First& first,
                     const Others&... others) {
  if constexpr (ddx::detail::Choice<First>) {
    const auto check = [&]<class Other>(const Other& other) {
      if constexpr (ddx::detail::Choice<Other>) {
        require_equal_alternatives(path, held_number(first), held_number(other));
      }
    };
    (check(others), ...);
    ddx::detail::for_held(first, [&](auto number, const auto&) { function(number); });
  } else {
    for_held_by_all(path, function, others...);
  }
}

/// The value that the counterpart of a map has for a key.
template <class T, class Key>
[[nodiscard]] auto& value_at(const Path& path, T& counterpart, const Key& key) {
  const auto found = counterpart.find(key);
  if (found == counterpart.end()) {
    throw_no_key(path, key_text(key));
  }
  return found->second;
}

/// Visits `first` and all that is in it, and the same places of the `others`. The visitor has
/// `parameter(path, parts...)` for what optimisers change, and `object(path, part...)` for each
/// object with members, called after its members. Of an optional value or a variant, what it holds
/// is visited, under the number of the alternative. What carries no tangent is passed by.
///
/// Throws: UsageError where containers and their counterparts differ in length, alternative or key.
template <class Visitor, class First, class... Others>
void walk(const Path& path, Visitor& visitor, First& first, Others&... others) {
  using T = std::remove_const_t<First>;
  static_assert(!FloatingScalar<T> || std::is_floating_point_v<T>,
                "ddx: a bare number among the parameters is a float or double; of a 16-bit type, "
                "hold a Tensor of rank 0");
  if constexpr (Parameter<T>) {
    visitor.parameter(path, first, others...);
  } else if constexpr (ddx::detail::HasFields<First>) {
    using Fields = decltype(first.ddx_fields());
    static constexpr auto names = split_names<std::tuple_size_v<Fields>>(T::ddx_field_names());
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      const auto member = [&]<std::size_t Index>() {
        walk(Path(path, names[Index]), visitor, std::get<Index>(first.ddx_fields()),
             std::get<Index>(others.ddx_fields())...);
      };
      (member.template operator()<I>(), ...);
    }(std::make_index_sequence<std::tuple_size_v<Fields>>{});
    visitor.object(path, first, others...);
  } else if constexpr (!Differentiable<T>) {
    return;
  } else if constexpr (ddx::detail::Choice<T> || (ddx::detail::Choice<Others> || ...)) {
    for_held_by_all(
        path,
        [&](auto number) {
          constexpr std::size_t held = decltype(number)::value;
          walk(Path(path, held), visitor, alternative_of<held>(first),
               alternative_of<held>(others)...);
        },
        first, others...);
  } else if constexpr (ddx::detail::is_tuple<T>) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      const auto element = [&]<std::size_t Index>() {
        walk(Path(path, Index), visitor, std::get<Index>(first), std::get<Index>(others)...);
      };
      (element.template operator()<I>(), ...);
    }(std::make_index_sequence<std::tuple_size_v<T>>{});
  } else if constexpr (ddx::detail::is_vector<T> || ddx::detail::is_array<T>) {
    (require_equal_lengths(path, std::size(first), std::size(others)), ...);
    for (std::size_t i = 0; i < std::size(first); ++i) {
      walk(Path(path, i), visitor, first[i], others[i]...);
    }
  } else if constexpr (ddx::detail::is_ordered_map<T>) {
    (require_equal_lengths(path, std::size(first), std::size(others)), ...);
    for (auto& [key, value] : first) {
      walk(Path(path, key_text(key)), visitor, value, value_at(path, others, key)...);
    }
  } else {
    static_assert(ddx::detail::unknown_tangent<T>,
                  "ddx: parameters lie in numbers, tensors, arrays, vectors, tuples, optionals, "
                  "variants, maps in order, and classes with DDX_DIFFERENTIABLE; not in this type");
  }
}

}  // namespace ddx::nn::detail
