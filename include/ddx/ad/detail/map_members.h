/// \file
/// What the compiler differentiates in the place of members of std::map and std::unordered_map:
/// `map_insert(m, ...)` for `m.insert(...)`. See algorithms.h.

#pragma once

#include "ddx/ad/detail/maps.h"

#include <concepts>
#include <type_traits>
#include <vector>

namespace ddx::detail::algorithms {

/// The keys, in the order in which the map is gone through.
template <class Map>
[[nodiscard]] std::vector<typename Map::key_type> map_keys(const Map& map) {
  std::vector<typename Map::key_type> keys;
  keys.reserve(map.size());
  for (const auto& entry : map) {
    keys.push_back(entry.first);
  }
  return keys;
}

/// Values that a map can hold before it is given them.
template <class Map>
concept HoldsValuesFirst = std::default_initializable<typename Map::mapped_type> ||
                           std::is_trivially_copyable_v<typename Map::mapped_type>;

/// Gives `key`, which is not in the map, its value.
template <HoldsValuesFirst Map, class T>
void map_add(Map& map, const typename Map::key_type& key, const T& value) {
  if constexpr (std::default_initializable<typename Map::mapped_type>) {
    map[key] = value;
  } else {
    detail::add_key(map, key);
    map.at(key) = value;
  }
}

template <HoldsValuesFirst Map, class Entry>
void map_insert(Map& map, const Entry& given) {
  if (map.count(given.first) == 0) {
    algorithms::map_add(map, given.first, given.second);
  }
}

template <HoldsValuesFirst Map, class Key, class... Arguments>
  requires std::convertible_to<const Key&, typename Map::key_type>
void map_try_emplace(Map& map, const Key& key, const Arguments&... arguments) {
  if (map.count(key) == 0) {
    algorithms::map_add(map, key, typename Map::mapped_type(arguments...));
  }
}

template <HoldsValuesFirst Map, class Key, class T>
  requires std::convertible_to<const Key&, typename Map::key_type>
void map_emplace(Map& map, const Key& key, const T& given) {
  if (map.count(key) == 0) {
    algorithms::map_add(map, key, typename Map::mapped_type(given));
  }
}

template <HoldsValuesFirst Map, class Entry>
void map_emplace(Map& map, const Entry& given) {
  algorithms::map_insert(map, given);
}

template <HoldsValuesFirst Map, class Key, class T>
  requires std::convertible_to<const Key&, typename Map::key_type>
void map_insert_or_assign(Map& map, const Key& key, const T& given) {
  if constexpr (std::default_initializable<typename Map::mapped_type>) {
    map[key] = given;
  } else {
    if (map.count(key) == 0) {
      detail::add_key(map, key);
    }
    map.at(key) = given;
  }
}

}  // namespace ddx::detail::algorithms
