/// \file
/// What synthesised text asks of maps, and of their tangents.

#pragma once

#include "ddx/ad/detail/failures.h"

#include <array>
#include <bit>
#include <cstddef>
#include <type_traits>

namespace ddx::detail {

/// The pair of a key that is in the map.
template <class Map>
[[nodiscard]] auto& entry(Map& map, const typename Map::key_type& key) {
  return *map.find(key);
}

/// The tangent of the value at `key`: zero where there is none yet.
template <class Tangents>
[[nodiscard]] auto& at_key(Tangents& tangents, const typename Tangents::key_type& key) {
  if constexpr (std::is_const_v<Tangents>) {
    static const typename Tangents::mapped_type zero{};
    const auto found = tangents.find(key);
    return found == tangents.end() ? zero : found->second;
  } else {
    return tangents[key];
  }
}

/// Gives a key that is not in the map a value without arguments; zeros, where the class can be
/// copied by its bytes and has no such constructor: what is assigned next replaces them.
///
/// Returns: whether it was not there.
template <class Map>
bool add_key(Map& map, const typename Map::key_type& key) {
  using Value = typename Map::mapped_type;
  if constexpr (std::is_default_constructible_v<Value>) {
    return map.try_emplace(key).second;
  } else {
    return map.try_emplace(key, std::bit_cast<Value>(std::array<std::byte, sizeof(Value)>{}))
        .second;
  }
}

/// A loop over a map goes on only while the map has the keys that it began with.
///
/// Throws: UsageError where it has not.
template <class Keys, class Map>
void check_keys(const Keys& keys, const Map& map) {
  if (keys.size() != map.size()) {
    throw_changed_keys(keys.size(), map.size());
  }
}

}  // namespace ddx::detail
