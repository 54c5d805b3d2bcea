/// \file
/// The walk through a model and things of the same form.

#pragma once

#include "ddx/ad/detail/tangent_kinds.h"
#include "ddx/ad/tangent.h"
#include "ddx/core/dtype.h"
#include "ddx/nn/path.h"
#include "ddx/tensor/tensor.h"

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ddx::nn::detail {

/// Throws: UsageError where a list and its counterpart differ in length: "visit: blocks has 2
///         elements, its counterpart has 0".
void require_equal_lengths(const Path& path, std::size_t first, std::size_t other);

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

/// Visits `first` and all that is in it, and the same places of the `others`. The visitor has
/// `parameter(path, parts...)` for what optimisers change, and `object(path, part...)` for each
/// object with members, called after its members. What carries no tangent is passed by.
///
/// Throws: UsageError where a vector and its counterpart differ in length.
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
  } else if constexpr (ddx::detail::is_tuple<T>) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      const auto element = [&]<std::size_t Index>() {
        walk(Path(path, Index), visitor, std::get<Index>(first), std::get<Index>(others)...);
      };
      (element.template operator()<I>(), ...);
    }(std::make_index_sequence<std::tuple_size_v<T>>{});
  } else if constexpr ((ddx::detail::is_vector<T> || ddx::detail::is_array<T>) &&
                       Differentiable<T>) {
    (require_equal_lengths(path, std::size(first), std::size(others)), ...);
    for (std::size_t i = 0; i < std::size(first); ++i) {
      walk(Path(path, i), visitor, first[i], others[i]...);
    }
  }
}

}  // namespace ddx::nn::detail
