/// \file
/// Declares std::future, without its header where that can be spared: it costs a quarter of a
/// second with the threads and clocks that come along.

#pragma once

#include <cstddef>

#ifdef __GLIBCXX__
namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION
template <typename Result>
class future;
_GLIBCXX_END_NAMESPACE_VERSION
}  // namespace std _GLIBCXX_VISIBILITY(default)
#else
#include <future>
#endif
