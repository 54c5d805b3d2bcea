/// \file
/// The tangent of a result of which only the pullback is known.

#pragma once

#include "ddx/ad/detail/coordinates.h"
#include "ddx/ad/detail/inner.h"
#include "ddx/ad/detail/registered_pullback.h"
#include "ddx/ad/no_tangent.h"

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ddx::detail {

/// Writes the tangent of a result into `into`: number by number, the inner product of what
/// `pullback` returns for it and the tangents of the arguments. A NoTangent among these represents
/// a constant.
///
/// Cost: one call of `pullback` for each number of the result.
template <class Parts, class Pullback, class Tangent, std::size_t N, class... Tangents>
void tangent_by_pullback(const Pullback& pullback, Tangent& into, const Wanted<N>& wanted,
                         const Tangents&... tangents) {
  Tangent seed{};
  const auto along = [&](const Parts& parts) {
    const auto part_along = [](const auto& part, const auto& tangent) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(tangent)>, NoTangent>) {
        return 0.0F;
      } else {
        return inner(part, tangent);
      }
    };
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (0.0F + ... + part_along(std::get<I>(parts), tangents));
    }(std::index_sequence_for<Tangents...>{});
  };
  std::size_t position = 0;
  for_each_coordinate(into, [&](auto& number) {
    set_unit(seed, position++);
    number = static_cast<std::remove_reference_t<decltype(number)>>(
        along(call_pullback<Parts>(pullback, seed, wanted)));
  });
}

}  // namespace ddx::detail
