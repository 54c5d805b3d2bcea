/// \file
/// The two lists that make a class differentiable.

#pragma once

#include "ddx/ad/detail/for_each_argument.h"
#include "ddx/ad/detail/runtime.h"
#include "ddx/ad/tangent.h"

#include <tuple>

namespace ddx::detail {

/// std::tie, which in a class template waits for the class: most programs use few of the layers.
template <class Class, class... Members>
constexpr std::tuple<Members&...> tie_members(Members&... members) {
  return std::tuple<Members&...>(members...);
}

}  // namespace ddx::detail

/// One member of the tangent, named and shaped like the member of the class.
#define DDX_DETAIL_TANGENT_MEMBER(Self, field) ::ddx::TangentOf<decltype(Self::field)> field{};

/// One name in the list of members without derivative.
#define DDX_DETAIL_NO_DERIVATIVE_MEMBER(Self, field) char field;

/// A listed member of a tangent, and the same member of another object.
#define DDX_DETAIL_MEMBER_PAIR(Self, field) function(tangent.field, other.field);

/// The function that ties listed members together, and the one that gives their names as written
/// ("a, b").
#define DDX_DETAIL_TIED(fields, names, ...)                          \
  constexpr auto fields() {                                          \
    return ::ddx::detail::tie_members<decltype(*this)>(__VA_ARGS__); \
  }                                                                  \
  constexpr auto fields() const {                                    \
    return ::ddx::detail::tie_members<decltype(*this)>(__VA_ARGS__); \
  }                                                                  \
  static constexpr const char* names() {                             \
    return #__VA_ARGS__;                                             \
  }

/// Makes the class `Self` differentiable in the members listed (at most 64).
///
/// Stands in the public part of the class, after the members. In a class template, `Self` is the
/// name without arguments. Makes `Self::TangentVector`: a class with the same member names, zero
/// when default-constructed, with `operator+=`. Both classes get `ddx_fields()`, the listed members
/// as a tuple of references, and `ddx_field_names()`. A member in neither this list nor
/// DDX_NO_DERIVATIVE is an error when a function of the class is differentiated.
///
/// Example: struct Line { double slope, offset; DDX_DIFFERENTIABLE(Line, slope, offset) };
#define DDX_DIFFERENTIABLE(Self, ...)                                                \
  struct TangentVector {                                                             \
    using DdxPrimal [[maybe_unused]] = Self;                                         \
    DDX_DETAIL_FOR_EACH(DDX_DETAIL_TANGENT_MEMBER, Self __VA_OPT__(, ) __VA_ARGS__)  \
    DDX_DETAIL_TIED(ddx_fields, ddx_field_names, __VA_ARGS__)                        \
    static constexpr auto ddx_pairs() {                                              \
      return []([[maybe_unused]] auto& tangent, [[maybe_unused]] auto& other,        \
                [[maybe_unused]] auto function) {                                    \
        DDX_DETAIL_FOR_EACH(DDX_DETAIL_MEMBER_PAIR, Self __VA_OPT__(, ) __VA_ARGS__) \
      };                                                                             \
    }                                                                                \
    constexpr TangentVector& operator+=(const TangentVector& other) {                \
      ::ddx::detail::accumulate(*this, other);                                       \
      return *this;                                                                  \
    }                                                                                \
  };                                                                                 \
  DDX_DETAIL_TIED(ddx_fields, ddx_field_names, __VA_ARGS__)

/// Names the members of a class that carry no derivative, though their types could, or whose types
/// cannot: at most 64 members, tied together by `ddx_other_fields()`. Stands beside
/// DDX_DIFFERENTIABLE; or alone, with all members, in a class that is no part of models but goes
/// with them through `compile`, such as an optimiser.
///
/// Example: struct Scaled { Tensor<float> x; double factor;
///                          DDX_DIFFERENTIABLE(Scaled, x) DDX_NO_DERIVATIVE(factor) };
#define DDX_NO_DERIVATIVE(...)                                              \
  struct DdxNoDerivative {                                                  \
    DDX_DETAIL_FOR_EACH(DDX_DETAIL_NO_DERIVATIVE_MEMBER, Self, __VA_ARGS__) \
  };                                                                        \
  DDX_DETAIL_TIED(ddx_other_fields, ddx_other_field_names, __VA_ARGS__)
