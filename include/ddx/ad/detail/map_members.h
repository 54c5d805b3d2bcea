/// \file
/// What the compiler differentiates in the place of members of std::map and std::unordered_map:
/// `map_insert(m, ...)` for `m.insert(...)`. See algorithms.h.

#pragma once

#include <concepts>
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

template <class Map, class Entry>
void map_insert(Map& map, const Entry& given) {
  if (map.count(given.first) == 0) {
    map[given.first] = given.second;
  }
}

template <class Map, class Key, class... Arguments>
  requires std::convertible_to<const Key&, typename Map::key_type>
void map_try_emplace(Map& map, const Key& key, const Arguments&... arguments) {
  if (map.count(key) == 0) {
    map[key] = typename Map::mapped_type(arguments...);
  }
}

template <class Map, class Key, class T>
  requires std::convertible_to<const Key&, typename Map::key_type>
void map_emplace(Map& map, const Key& key, const T& given) {
  if (map.count(key) == 0) {
    map[key] = typename Map::mapped_type(given);
  }
}

template <class Map, class Entry>
void map_emplace(Map& map, const Entry& given) {
  algorithms::map_insert(map, given);
}

template <class Map, class Key, class T>
  requires std::convertible_to<const Key&, typename Map::key_type>
void map_insert_or_assign(Map& map, const Key& key, const T& given) {
  map[key] = given;
}

}  // namespace ddx::detail::algorithms
