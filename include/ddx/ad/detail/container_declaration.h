/// \file
/// Declares std::deque, std::map and std::unordered_map, without their headers where those can be
/// spared.

#pragma once

#include <cstddef>

#ifdef __GLIBCXX__
namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_CONTAINER
template <typename T, typename Allocator>
class deque;
template <typename Key, typename T, typename Compare, typename Allocator>
class map;
template <typename Key, typename T, typename Hash, typename Equal, typename Allocator>
class unordered_map;
_GLIBCXX_END_NAMESPACE_CONTAINER
}  // namespace std _GLIBCXX_VISIBILITY(default)
#else
#include <deque>
#include <map>
#include <unordered_map>
#endif
