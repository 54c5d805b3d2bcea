/// \file
/// What ddx asks of the options of the compiler: an unsuitable one ends in one error, not in many.

#pragma once

#pragma clang diagnostic push
#pragma clang diagnostic fatal "-W#warnings"

#if __cplusplus < 202002L
#warning ddx needs C++20; compile with -std=c++20 or later
#endif

#if __cplusplus >= 202002L
#include <version>
#endif
#ifdef _LIBCPP_VERSION
#warning ddx is built with libstdc++, whose classes its functions take; leave out -stdlib=libc++
#endif

#pragma clang diagnostic pop
