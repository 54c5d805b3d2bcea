/// \file
/// Adds one tangent to another, in place.

#pragma once

#include "ddx/ad/detail/failures.h"
#include "ddx/ad/detail/tangent_kinds.h"

#include <cstddef>
#include <type_traits>
#include <utility>

namespace ddx::detail {

/// `into += from`. Where `lend` is true, `from` may be used up.
template <bool lend, class T>
constexpr void accumulate_into(T& into, std::conditional_t<lend, T, const T>& from) {
  using Given = std::conditional_t<lend, T&&, const T&>;
  const auto add_part = [](auto& to, auto& part) { accumulate_into<lend>(to, part); };
  if constexpr (is_number<T>) {
    into += from;
  } else if constexpr (std::is_same_v<T, NoTangent>) {
  } else if constexpr (LeafTangent<T>) {
    ddx_accumulate(into, static_cast<Given>(from));
  } else if constexpr (NumberArrayTangent<T>) {
    if (into.size() == 0) {
      into = static_cast<Given>(from);
    } else if (from.size() != 0) {
      if (into.rows() != from.rows() || into.cols() != from.cols()) {
        throw_length_mismatch("accumulate", static_cast<std::size_t>(into.size()), "one",
                              static_cast<std::size_t>(from.size()));
      }
      for (std::size_t i = 0; i < static_cast<std::size_t>(into.size()); ++i) {
        into.data()[i] += from.data()[i];
      }
    }
  } else if constexpr (HasFields<T>) {
    for_each_pair(into.ddx_fields(), from.ddx_fields(), add_part);
  } else if constexpr (TupleTangent<T>) {
    for_each_pair(into, from, add_part);
  } else if constexpr (MapTangent<T>) {
    for (auto& [key, part] : from) {
      const auto [place, is_new] = into.try_emplace(key);
      if (is_new) {
        place->second = part;
      } else {
        add_part(place->second, part);
      }
    }
  } else if constexpr (VectorTangent<T> || ArrayTangent<T>) {
    if constexpr (VectorTangent<T>) {
      if (into.empty()) {
        into = static_cast<Given>(from);
        return;
      }
      if (from.empty()) {
        return;
      }
      if (into.size() != from.size()) {
        throw_length_mismatch("accumulate", into.size(), "one", from.size());
      }
    }
    const std::size_t size = std::size(into);
    for (std::size_t i = 0; i < size; ++i) {
      add_part(into[i], from[i]);
    }
  } else {
    static_assert(unknown_tangent<T>,
                  "ddx: a class used as TangentVector needs ddx_accumulate(into, from), found by "
                  "argument-dependent lookup, or must be made by DDX_DIFFERENTIABLE");
  }
}

/// Adds the tangent `from` to `into`. An empty vector counts as zeros of any length, a key that
/// a map lacks as zero; the two may be one object.
///
/// Throws: UsageError where two vectors have different lengths and neither is empty.
template <class T>
constexpr void accumulate(T& into, const T& from) {
  accumulate_into<false>(into, from);
}

/// As above; `from` may lend its memory to `into` and is left valid but unspecified.
template <class T>
constexpr void accumulate(T& into, T&& from) {
  accumulate_into<true>(into, from);
}

}  // namespace ddx::detail
