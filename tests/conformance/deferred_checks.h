/// \file
/// Comparisons that wait until all that they compare has been recorded.

#pragma once

#include "ddx/backend/lazy.h"

#include <cstddef>
#include <exception>
#include <functional>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace ddx::testing {

/// While it exists, `compare` on this thread keeps comparisons, so that all that is recorded for
/// them on a device of a plugin becomes one program. They nest.
class DeferredChecks {
 public:
  DeferredChecks() : before_(std::exchange(current(), this)) {}
  DeferredChecks(const DeferredChecks&) = delete;
  DeferredChecks& operator=(const DeferredChecks&) = delete;
  ~DeferredChecks() { current() = before_; }

  /// Compares: now, or in the `run` of the innermost object. `what` opens its messages.
  static void compare(const std::string& what, std::function<void()> comparison) {
    if (current() == nullptr) {
      call(what, comparison);
    } else {
      current()->kept_.emplace_back(what, std::move(comparison));
    }
  }

  /// Runs what this thread has recorded, then compares. Returns the number of comparisons.
  std::size_t run() {
    current() = nullptr;
    backend::lazy_barrier();
    for (const auto& [what, comparison] : kept_) {
      call(what, comparison);
    }
    return kept_.size();
  }

 private:
  static void call(const std::string& what, const std::function<void()>& comparison) {
    const ::testing::ScopedTrace trace(__FILE__, __LINE__, what);
    try {
      comparison();
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
  static DeferredChecks*& current() {
    thread_local DeferredChecks* innermost = nullptr;
    return innermost;
  }

  DeferredChecks* before_;
  std::vector<std::pair<std::string, std::function<void()>>> kept_;
};

}  // namespace ddx::testing
