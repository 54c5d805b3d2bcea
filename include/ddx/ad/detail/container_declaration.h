/// \file
/// Declares std::deque, std::map and std::unordered_map, without their headers where those can be
/// spared. In the debug mode of libstdc++ they are other classes, in a namespace of their own.

#pragma once

#include <cstddef>

#if defined(__GLIBCXX__) && !defined(_GLIBCXX_DEBUG)
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
