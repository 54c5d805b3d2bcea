/// \file
/// Zeros: making them, shaping them, leaving them behind.

#pragma once

#include "ddx/ad/detail/accumulate.h"
#include "ddx/ad/detail/choices.h"
#include "ddx/ad/detail/tangent_kinds.h"

#include <cstddef>
#include <type_traits>
#include <utility>

namespace ddx::detail {

/// Makes a tangent zero; vectors keep their lengths.
template <class T>
constexpr void set_zero(T& tangent) {
  const auto clear = [](auto& part) { set_zero(part); };
  if constexpr (is_number<T> || LeafTangent<T>) {
    tangent = T{};
  } else if constexpr (NumberArrayTangent<T>) {
    for_each_number(tangent, clear);
  } else if constexpr (std::is_same_v<T, NoTangent>) {
  } else if constexpr (HasFields<T>) {
    for_each_element(tangent.ddx_fields(), clear);
  } else if constexpr (TupleTangent<T>) {
    for_each_element(tangent, clear);
  } else if constexpr (MapTangent<T>) {
    for (auto& [key, part] : tangent) {
      clear(part);
    }
  } else {
    static_assert(VectorTangent<T> || ArrayTangent<T>, "ddx: not a tangent type");
    for (auto& part : tangent) {
      clear(part);
    }
  }
}

/// Moves a tangent from `from` to `into` and leaves zero behind; vectors keep their lengths.
template <class T>
constexpr void take_into(T& into, T& from) {
  const auto take_part = [](auto& to, auto& part) { take_into(to, part); };
  if constexpr (is_number<T> || LeafTangent<T>) {
    into = std::exchange(from, T{});
  } else if constexpr (NumberArrayTangent<T>) {
    into = from;
    set_zero(from);
  } else if constexpr (std::is_same_v<T, NoTangent>) {
  } else if constexpr (HasFields<T>) {
    for_each_pair(into.ddx_fields(), from.ddx_fields(), take_part);
  } else if constexpr (TupleTangent<T>) {
    for_each_pair(into, from, take_part);
  } else if constexpr (MapTangent<T>) {
    into.clear();
    for (auto& [key, part] : from) {
      take_part(into[key], part);
    }
  } else {
    static_assert(VectorTangent<T> || ArrayTangent<T>, "ddx: not a tangent type");
    if constexpr (VectorTangent<T>) {
      into.resize(from.size());
    }
    const std::size_t size = std::size(from);
    for (std::size_t i = 0; i < size; ++i) {
      take_part(into[i], from[i]);
    }
  }
}

/// Returns the tangent and leaves zero in its place; vectors keep their lengths.
template <class T>
[[nodiscard]] constexpr T take(T& tangent) {
  T taken{};
  take_into(taken, tangent);
  return taken;
}

/// What becomes of a leaf class that has zeros of its own without a shape (`ddx_zeros_like`).
enum class LeafZeros {
  Shaped,  ///< They get the shape of the primal.
  Kept,    ///< They stay, and take no memory.
};

/// Gives a tangent the shape of its primal: a vector's symbolic zero (no elements) becomes as many
/// zeros as the value has elements; a leaf class decides by `ddx_conform(tangent, primal)`. What a
/// variant or an optional does not hold has tangent zero.
///
/// Throws: UsageError where a vector's tangent has another length than the vector, or that of a map
///         a key that the map lacks.
template <class Primal, LeafZeros leaves = LeafZeros::Shaped>
constexpr void conform(TangentOf<Primal>& tangent, const Primal& primal) {
  using Tangent = TangentOf<Primal>;
  const auto conform_part = []<class Part>(auto& part, const Part& value) {
    conform<Part, leaves>(part, value);
  };
  if constexpr (std::is_floating_point_v<Tangent> || is_complex_number<Tangent> ||
                std::is_same_v<Tangent, NoTangent>) {
  } else if constexpr (NumberArrayTangent<Tangent>) {
    if (tangent.size() == 0) {
      tangent.resizeLike(primal);
      set_zero(tangent);
    } else if (tangent.rows() != primal.rows() || tangent.cols() != primal.cols()) {
      throw_length_mismatch("conform", static_cast<std::size_t>(tangent.size()), "a value",
                            static_cast<std::size_t>(primal.size()));
    }
  } else if constexpr (requires { ddx_conform(tangent, primal); }) {
    if constexpr (leaves == LeafZeros::Shaped || !requires { ddx_zeros_like(primal); }) {
      ddx_conform(tangent, primal);
    }
  } else if constexpr (Choice<Primal>) {
    Tangent conformed{};  // What is not held has zeros of no shape.
    for_held(primal, [&]<std::size_t I, class Part>(std::integral_constant<std::size_t, I>,
                                                    const Part& value) {
      std::get<I>(conformed) = std::move(std::get<I>(tangent));
      conform<Part, leaves>(std::get<I>(conformed), value);
    });
    tangent = std::move(conformed);
  } else if constexpr (requires { Tangent::ddx_pairs(); }) {
    Tangent::ddx_pairs()(tangent, primal, conform_part);  // No tuple: second derivatives read this.
  } else if constexpr (HasFields<Tangent>) {
    for_each_pair(tangent.ddx_fields(), primal.ddx_fields(), conform_part);
  } else if constexpr (TupleTangent<Tangent>) {
    for_each_pair(tangent, primal, conform_part);
  } else if constexpr (MapTangent<Tangent>) {
    for (const auto& [key, value] : primal) {
      conform_part(tangent[key], value);
    }
    if (tangent.size() != primal.size()) {
      throw_length_mismatch("conform", tangent.size(), "a value", primal.size());
    }
  } else if constexpr (VectorTangent<Tangent> || ArrayTangent<Tangent>) {
    if constexpr (VectorTangent<Tangent>) {
      if (tangent.empty()) {
        tangent.resize(primal.size());
      } else if (tangent.size() != primal.size()) {
        throw_length_mismatch("conform", tangent.size(), "a value", primal.size());
      }
    }
    const std::size_t size = std::size(primal);
    for (std::size_t i = 0; i < size; ++i) {
      conform_part(tangent[i], primal[i]);
    }
  } else {
    static_assert(unknown_tangent<Tangent>,
                  "ddx: a class used as TangentVector needs ddx_conform(tangent, primal), found by "
                  "argument-dependent lookup, or must be made by DDX_DIFFERENTIABLE");
  }
}

/// Returns a zero tangent shaped like `primal`. A leaf class may say how by
/// `ddx_zeros_like(primal)`.
template <class Primal>
[[nodiscard]] constexpr TangentOf<Primal> zeros_like(const Primal& primal) {
  if constexpr (requires { ddx_zeros_like(primal); }) {
    return ddx_zeros_like(primal);
  } else {
    TangentOf<Primal> tangent{};
    conform<Primal>(tangent, primal);
    return tangent;
  }
}

/// The same, with the lengths of vectors and the keys of maps alone: what has zeros of no shape
/// takes no memory.
template <class Primal>
[[nodiscard]] constexpr TangentOf<Primal> lengths_like(const Primal& primal) {
  TangentOf<Primal> tangent{};
  conform<Primal, LeafZeros::Kept>(tangent, primal);
  return tangent;
}

}  // namespace ddx::detail
