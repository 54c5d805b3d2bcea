/// \file
/// Whether anybody could be there to wait for.

#pragma once

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

namespace ddx {

/// Whether the process has the calling thread alone, so that it need not count atomically or lock:
/// an atomic operation waits for all stores before it. False where the C library does not tell.
[[nodiscard]] inline bool is_single_threaded() noexcept {
#if __has_include(<sys/single_threaded.h>)
  return __libc_single_threaded != 0;
#else
  return false;
#endif
}

}  // namespace ddx
