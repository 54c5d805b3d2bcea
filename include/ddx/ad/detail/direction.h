/// \file
/// The tangents of several arguments, one after the other.

#pragma once

#include <cstddef>
#include <tuple>

namespace ddx::detail {

/// A list of tangents. A plain struct, and no tuple, because the compiler differentiates what is
/// done with it.
template <class... Tangents>
struct Direction {
  using DdxPrimal = Direction;
  constexpr auto ddx_fields() const { return std::tie(); }
};

template <class Tangent, class... Tangents>
struct Direction<Tangent, Tangents...> {
  Tangent first;
  [[no_unique_address]] Direction<Tangents...> rest;

  using DdxPrimal = Direction;  ///< A vector space: it is its own tangent.
  constexpr auto ddx_fields() { return std::tie(first, rest); }
  constexpr auto ddx_fields() const { return std::tie(first, rest); }
};

/// Lists `tangents`.
inline constexpr Direction<> make_direction() {
  return {};
}

template <class Tangent, class... Tangents>
[[nodiscard]] constexpr Direction<Tangent, Tangents...> make_direction(const Tangent& first,
                                                                       const Tangents&... rest) {
  return {first, make_direction(rest...)};
}

/// The tangent at `Position` of a direction.
template <std::size_t Position>
struct TangentAt {
  template <class Tangents>
  static constexpr const auto& of(const Tangents& direction) {
    return TangentAt<Position - 1>::of(direction.rest);
  }
};

template <>
struct TangentAt<0> {
  template <class Tangents>
  static constexpr const auto& of(const Tangents& direction) {
    return direction.first;
  }
};

}  // namespace ddx::detail
