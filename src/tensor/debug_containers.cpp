#include "ddx/tensor/detail/debug_containers.h"

namespace ddx::detail {

#ifdef _GLIBCXX_DEBUG
const bool library_is_built_with_GLIBCXX_DEBUG = true;
#else
const bool library_is_built_without_GLIBCXX_DEBUG = true;
#endif

}  // namespace ddx::detail
