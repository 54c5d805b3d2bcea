/// \file
/// Programs and the library must agree on the debug mode of libstdc++ (`-D_GLIBCXX_DEBUG`): it
/// changes the layout of containers, which pass between them. A program that does not agree fails
/// to link, with the name below as the reason.

#pragma once

namespace ddx::detail {

// Defined by the library for the mode it was built in; each unit refers to that of its own mode.
#ifdef _GLIBCXX_DEBUG
extern const bool library_is_built_with_GLIBCXX_DEBUG;
[[gnu::used]] inline const bool* const debug_containers = &library_is_built_with_GLIBCXX_DEBUG;
#else
extern const bool library_is_built_without_GLIBCXX_DEBUG;
[[gnu::used]] inline const bool* const debug_containers = &library_is_built_without_GLIBCXX_DEBUG;
#endif

}  // namespace ddx::detail
