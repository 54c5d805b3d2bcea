#include "ddx/tensor/detail/kept_memory.h"

#include "ddx/backend/memory_statistics.h"

namespace ddx::detail {

void release_kept_memory() noexcept {
  backend::release_kept_memory();
}

}  // namespace ddx::detail
