/// \file
/// What is known at run time of bits of reals that derivatives do not follow.

#pragma once

#include <atomic>

namespace ddx::detail {

/// Two facts of one derivative; several threads may set them at a time.
class LostBitsState {
 public:
  /// A tangent or cotangent was lost: NaN stands in its place, and a derivative that is NaN may
  /// depend on it.
  void note_lost() noexcept { has_lost_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool have_been_lost() const noexcept {
    return has_lost_.load(std::memory_order_relaxed);
  }

  /// Integers with such bits were passed to a function, or returned: from then on each integer that
  /// was passed may be one of them.
  void pass() noexcept { has_passed_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool have_passed() const noexcept {
    return has_passed_.load(std::memory_order_relaxed);
  }

  void reset() noexcept {
    has_lost_.store(false, std::memory_order_relaxed);
    has_passed_.store(false, std::memory_order_relaxed);
  }

 private:
  std::atomic<bool> has_lost_ = false;
  std::atomic<bool> has_passed_ = false;
};

}  // namespace ddx::detail
