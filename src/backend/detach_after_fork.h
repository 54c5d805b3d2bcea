/// \file
/// Threads of the parent in a process that has been forked.

#pragma once

#include <memory>
#include <thread>
#include <utility>

namespace ddx::backend {

/// Detaches a thread of the parent process in its child, which does not have it:
/// std::thread::detach is undefined there, and the destructor of a std::thread ends the process.
inline void detach_after_fork(std::thread thread) noexcept {
  union Kept {
    Kept() noexcept {}
    ~Kept() {}
    std::thread thread;
  } kept;
  std::construct_at(&kept.thread, std::move(thread));  // Never destroyed.
}

}  // namespace ddx::backend
