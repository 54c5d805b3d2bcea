/// \file
/// What only synthesised derivatives use: tangents of built-in arrays, and zeros shaped like an
/// object whose class declares no tangent. Included by the synthesised text itself.

#pragma once

#include "ddx/ad/detail/arena.h"
#include "ddx/ad/detail/changed_cotangent.h"
#include "ddx/ad/detail/checkpoint.h"
#include "ddx/ad/detail/checkpointed_loop.h"
#include "ddx/ad/detail/entry.h"
#include "ddx/ad/detail/entry_tables.h"
#include "ddx/ad/detail/math.h"
#include "ddx/ad/detail/nested_gradient.h"
#include "ddx/ad/detail/nested_pullback.h"
#include "ddx/ad/detail/registered_tangent.h"
#include "ddx/ad/detail/runtime.h"
#include "ddx/ad/detail/tangent_by_pullback.h"
#include "ddx/ad/detail/tangent_by_transpose.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <new>
#include <numbers>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddx::detail {

/// A built-in array, in a form that declares by `ArrayOf<T, N> name`.
template <class T, std::size_t N>
using ArrayOf = T[N];

/// Returns a tangent of zeros with the shape of `primal`, where `Tangent` may be a struct that the
/// compiler made for a class without `TangentVector`.
///
/// Cost: O(size of primal).
template <class Tangent, class Primal>
[[nodiscard]] Tangent zeros_shaped_like(const Primal& primal) {
  if constexpr (std::is_same_v<TangentOf<Primal>, Tangent>) {
    return lengths_like(primal);
  } else if constexpr (requires { Tangent::ddx_shaped_like(primal); }) {
    return Tangent::ddx_shaped_like(primal);
  } else if constexpr (Choice<Primal>) {
    Tangent tangent{};
    for_held(primal, [&]<std::size_t I>(std::integral_constant<std::size_t, I>,
                                        [[maybe_unused]] const auto& value) {
      using Part = std::tuple_element_t<I, Tangent>;
      if constexpr (!std::is_same_v<Part, NoTangent>) {
        std::get<I>(tangent) = zeros_shaped_like<Part>(value);
      }
    });
    return tangent;
  } else if constexpr (MapTangent<Tangent>) {
    Tangent tangent{};
    for (const auto& [key, value] : primal) {
      tangent[key] = zeros_shaped_like<typename Tangent::mapped_type>(value);
    }
    return tangent;
  } else if constexpr (
      requires { std::tuple_size<Primal>::value; } && !requires(Tangent tangent) { tangent[0]; }) {
    const auto part = []<class Part>(const auto& of) -> Part {
      if constexpr (std::is_same_v<Part, NoTangent>) {
        return {};
      } else {
        return zeros_shaped_like<Part>(of);
      }
    };
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return Tangent {
        part.template operator()<std::tuple_element_t<I, Tangent>>(std::get<I>(primal))...
      };
    }(std::make_index_sequence<std::tuple_size_v<Primal>>{});
  } else {
    Tangent tangent{};
    if constexpr (requires { tangent.resize(std::size(primal)); }) {
      tangent.resize(std::size(primal));
    }
    for (std::size_t i = 0; i < std::size(primal); ++i) {
      tangent[i] = zeros_shaped_like<std::remove_cvref_t<decltype(tangent[i])>>(primal[i]);
    }
    return tangent;
  }
}

template <class Tangent, class Primal>
void shape_like(Tangent& tangent, const Primal& primal) {
  tangent = zeros_shaped_like<Tangent>(primal);
}

/// The same for a built-in array, element by element.
template <class Part, std::size_t N, class Primal>
void shape_like(Part (&tangent)[N], const Primal& primal) {
  for (std::size_t i = 0; i < N; ++i) {
    shape_like(tangent[i], primal[i]);
  }
}

/// Gives the tangent of a vector as many elements as the vector has; new ones are zeros with the
/// shapes of the vector's.
template <class Tangent, class Primal>
void grow_like(Tangent& tangent, const Primal& primal) {
  const std::size_t old = tangent.size();
  tangent.resize(primal.size());
  for (std::size_t i = old; i < primal.size(); ++i) {
    shape_like(tangent[i], primal[i]);
  }
}

/// Returns zeros shaped like `primal`, in the arena.
template <class Tangent, class Primal>
[[nodiscard]] Tangent* saved_shape(Arena& arena, const Primal& primal) {
  struct Kept {
    Tangent zeros;
  };
  Kept& kept = *arena.make<Kept>();
  shape_like(kept.zeros, primal);
  return &kept.zeros;
}

/// What the tangent of a vector of objects needs to get its old size again: that size, and zeros
/// with the shapes of the elements that were dropped; null where none were.
template <class Vector>
struct OldElements {
  std::size_t size;
  Vector* dropped;
};

/// Returns that of `primal`, which is about to have `count` elements.
///
/// Cost: O(size of what is dropped).
template <class Tangent, class Primal>
[[nodiscard]] OldElements<Tangent> old_elements(Arena& arena, const Primal& primal,
                                                std::size_t count) {
  OldElements<Tangent> old{primal.size(), nullptr};
  if (count < old.size) {
    old.dropped = arena.make<Tangent>();
    for (std::size_t i = count; i < old.size; ++i) {
      old.dropped->push_back(zeros_shaped_like<typename Tangent::value_type>(primal[i]));
    }
  }
  return old;
}

/// Gives `tangent` the elements that it had: drops the last ones, or appends those of `old`.
template <class Vector>
void restore_elements(Vector& tangent, const OldElements<Vector>& old) {
  if (old.dropped == nullptr) {
    tangent.resize(old.size);
  } else {
    tangent.insert(tangent.end(), old.dropped->begin(), old.dropped->end());
  }
}

template <class Tangent>
void copy_shape(Tangent& tangent, const Tangent& shape) {
  tangent = shape;
}

/// Makes a built-in array of tangents what `shape` is.
template <class Part, std::size_t N>
void copy_shape(Part (&tangent)[N], const Part (&shape)[N]) {
  for (std::size_t i = 0; i < N; ++i) {
    copy_shape(tangent[i], shape[i]);
  }
}

}  // namespace ddx::detail
