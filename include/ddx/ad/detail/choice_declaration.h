/// \file
/// Declares std::optional and std::variant, without their headers where those can be spared.

#pragma once

#include <cstddef>

#ifdef __GLIBCXX__
namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION
template <typename T>
class optional;
template <typename... Ts>
class variant;
_GLIBCXX_END_NAMESPACE_VERSION
}  // namespace std _GLIBCXX_VISIBILITY(default)
#else
#include <optional>
#include <variant>
#endif
