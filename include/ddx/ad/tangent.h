/// \file
/// The type of a derivative's value: what a small change of a value is made of.

#pragma once

#include "ddx/ad/detail/tangent_trait.h"
#include "ddx/ad/no_tangent.h"

#include <concepts>
#include <type_traits>

namespace ddx {

/// The type that holds a derivative with respect to a `T`, or of a result of type `T`.
///
/// Returns: `float`, `double`, `long double`: the type itself. `std::array`, `std::vector`,
///          `std::pair`, `std::tuple`, C arrays: the same container of tangents. A class with a
///          nested `TangentVector`: that type. Everything else, and containers of nothing but
///          such: NoTangent. References and const do not matter.
template <class T>
using TangentOf = typename detail::TangentTrait<std::remove_cvref_t<T>>::type;

/// Holds for types that carry a tangent, so that one can differentiate with respect to them.
template <class T>
concept Differentiable = !std::same_as<TangentOf<T>, NoTangent>;

}  // namespace ddx
