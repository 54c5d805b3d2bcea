/// \file
/// Why a queued call has no results.

#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <utility>

namespace ddx::backend {

/// An error that is thrown where the results are observed. Shared by count among the blocks that it
/// has left without elements.
class Failure {
 public:
  /// The error that is being handled, with one owner.
  [[nodiscard]] static Failure* of_current_exception() noexcept;

  /// An error, with one owner.
  [[nodiscard]] static Failure* of(std::exception_ptr error) noexcept;

  /// Whether there has ever been one.
  [[nodiscard]] static bool any() noexcept { return any_.load(std::memory_order_relaxed); }

  /// One owner more.
  [[nodiscard]] Failure* shared() noexcept {
    owners_.fetch_add(1, std::memory_order_relaxed);
    return this;
  }
  /// One owner less; null has none.
  static void release(Failure* failure) noexcept;

  /// Throws: the error. It then counts as seen.
  [[noreturn]] void raise();
  [[nodiscard]] bool seen() const noexcept { return seen_.load(std::memory_order_relaxed); }

 private:
  explicit Failure(std::exception_ptr error) noexcept : error_(std::move(error)) {}

  static std::atomic<bool> any_;

  std::atomic<std::size_t> owners_{1};
  std::atomic<bool> seen_{false};
  std::exception_ptr error_;
};

}  // namespace ddx::backend
