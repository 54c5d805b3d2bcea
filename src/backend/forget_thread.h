/// \file
/// Threads in a process that has been forked.

#pragma once

#include <memory>
#include <thread>
#include <utility>

namespace ddx::backend {

/// Lets go of a thread of the parent process in its child, which does not have it: nothing can be
/// asked of it there, not even to be detached, and to destroy what stands for it ends the process.
inline void forget(std::thread thread) noexcept {
  union Kept {
    Kept() noexcept {}
    ~Kept() {}
    std::thread thread;
  } kept;
  std::construct_at(&kept.thread, std::move(thread));  // Never destroyed.
}

}  // namespace ddx::backend
