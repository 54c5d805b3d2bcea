/// \file
/// Declares std::complex, without its header where that can be spared: most programs have no use
/// for it.

#pragma once

#include <cstddef>

#ifdef __GLIBCXX__
namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION
template <typename T>
class complex;
_GLIBCXX_END_NAMESPACE_VERSION
}  // namespace std _GLIBCXX_VISIBILITY(default)
#else
#include <complex>
#endif
