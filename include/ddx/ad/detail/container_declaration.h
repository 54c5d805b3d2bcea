/// \file
/// Declares std::deque, without its header where that can be spared.

#pragma once

#include <cstddef>

#ifdef __GLIBCXX__
namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_CONTAINER
template <typename T, typename Allocator>
class deque;
_GLIBCXX_END_NAMESPACE_CONTAINER
}  // namespace std _GLIBCXX_VISIBILITY(default)
#else
#include <deque>
#endif
