/// \file
/// A lock that costs a comparison where it guards against nobody.

#pragma once

#include "ddx/core/single_threaded.h"

#include <mutex>

namespace ddx::backend::lazy {

/// A mutex that is not locked as long as the process has one thread. (What is recorded takes the
/// lock once for each operation, and that of the C library costs a tenth of it even then.)
///
/// Threads that start while it is held must not want it before it is given back.
class RecordLock {
 public:
  void lock() {
    if (is_single_threaded()) {
      held_by_only_thread_ = true;
    } else {
      mutex_.lock();
    }
  }
  void unlock() noexcept {
    if (held_by_only_thread_) {
      held_by_only_thread_ = false;
    } else {
      mutex_.unlock();
    }
  }

 private:
  std::mutex mutex_;
  bool held_by_only_thread_ = false;
};

}  // namespace ddx::backend::lazy
