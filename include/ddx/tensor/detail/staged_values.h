/// \file
/// Arguments and results of functions that are staged: which tensors are in them, and what else.

#pragma once

#include "ddx/ad/detail/choices.h"
#include "ddx/ad/detail/tangent_kinds.h"
#include "ddx/core/dtype.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/tensor.h"

#include <array>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ddx::detail {

template <class T>
inline constexpr bool is_tensor = false;
template <TensorScalar Scalar>
inline constexpr bool is_tensor<Tensor<Scalar>> = true;

/// Stands for a member of any type.
struct AnyMember {
  template <class T>
  operator T() const;  // NOLINT(google-explicit-constructor)
};

template <class T, class... Members>
constexpr std::size_t member_count_from() {
  if constexpr (requires { T{Members{}..., AnyMember{}}; }) {
    return member_count_from<T, Members..., AnyMember>();
  } else {
    return sizeof...(Members);
  }
}

/// A class all of whose members DDX_DIFFERENTIABLE lists: it has no others that could be lost.
template <class T>
concept ListsAllMembers =
    HasFields<T> && std::is_aggregate_v<T> &&
    member_count_from<T>() == std::tuple_size_v<decltype(std::declval<T&>().ddx_fields())>;

/// Calls `tensor(parts...)` for each tensor of the first value and what stands at its place in the
/// others, in order, and `number(parts...)` for each of what else there is: numbers, keys, lengths
/// of lists, numbers of alternatives. Ends as soon as `number` returns false, and tells whether it
/// did not.
template <class OnTensor, class OnNumber, class First, class... Others>
bool visit_staged(OnTensor& tensor, OnNumber& number, First& first, Others&... others) {
  using T = std::remove_const_t<First>;
  if constexpr (is_tensor<T>) {
    tensor(first, others...);
    return true;
  } else if constexpr (ListsAllMembers<T>) {
    using Fields = decltype(first.ddx_fields());
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      const auto member = [&]<std::size_t Index>() {
        return visit_staged(tensor, number, std::get<Index>(first.ddx_fields()),
                            std::get<Index>(others.ddx_fields())...);
      };
      return (member.template operator()<I>() && ...);
    }(std::make_index_sequence<std::tuple_size_v<Fields>>{});
  } else if constexpr (is_tuple<T>) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      const auto element = [&]<std::size_t Index>() {
        return visit_staged(tensor, number, std::get<Index>(first), std::get<Index>(others)...);
      };
      return (element.template operator()<I>() && ...);
    }(std::make_index_sequence<std::tuple_size_v<T>>{});
  } else if constexpr (is_vector<T> || is_array<T>) {
    if (!number(std::size(first), std::size(others)...)) {
      return false;
    }
    for (std::size_t i = 0; i < std::size(first); ++i) {
      if (!visit_staged(tensor, number, first[i], others[i]...)) {
        return false;
      }
    }
    return true;
  } else if constexpr (is_optional<T>) {
    if (!number(first.has_value(), others.has_value()...)) {
      return false;
    }
    return !first.has_value() || visit_staged(tensor, number, *first, *others...);
  } else {
    static_assert(std::equality_comparable<T> && std::copyable<T> && !HasFields<T>,
                  "ddx: a function that is staged takes and returns tensors, values that can be "
                  "compared, pairs, tuples, arrays, vectors and optionals of these, and aggregates "
                  "all of whose members DDX_DIFFERENTIABLE lists; not this type");
    return number(first, others...);
  }
}

/// Calls `tensor(t)` for each tensor of a value, in order.
template <class OnTensor, class T>
void visit_tensors(OnTensor tensor, T& value) {
  auto any = [](const auto&...) { return true; };
  visit_staged(tensor, any, value);
}

}  // namespace ddx::detail
