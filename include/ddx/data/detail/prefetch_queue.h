/// \file
/// Who makes and takes which item, and when.

#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <vector>

namespace ddx::data::detail {

/// Gives out places to makers, at most `ahead` beyond the taker's, and tells the taker when the
/// item of its place is ready. Each place uses the slot that is its number modulo `ahead`.
class PrefetchQueue {
 public:
  /// Throws: UsageError where there is not at least one thread and one place ahead.
  PrefetchQueue(std::int64_t begin, std::int64_t end, std::int64_t threads, std::int64_t ahead);

  /// For a maker: the next place to make; nothing once all are given out or the queue has stopped.
  /// Waits while its slot is in use.
  [[nodiscard]] std::optional<std::int64_t> claim();

  /// For a maker: makes the item of the place it has claimed, and tells the taker so, or what was
  /// thrown.
  template <class Make>
  void make(std::int64_t place, const Make& item) noexcept {
    std::exception_ptr failure;
    try {
      item();
    } catch (...) {
      failure = std::current_exception();
    }
    publish(place, failure);
  }

  /// For the taker: waits for the next item; false after the last one.
  ///
  /// Throws:  what making it has thrown.
  [[nodiscard]] bool wait();
  /// For the taker: the item has been taken out of its slot.
  void release();

  /// Ends the waiting of all makers.
  void stop() noexcept;

  [[nodiscard]] std::size_t slot_of(std::int64_t place) const noexcept {
    return static_cast<std::size_t>(place % ahead_);
  }
  [[nodiscard]] std::size_t slot_of_next() const noexcept { return slot_of(taken_); }

 private:
  struct Slot {
    bool ready = false;
    std::exception_ptr failure = {};
  };

  void publish(std::int64_t place, std::exception_ptr failure) noexcept;

  const std::int64_t end_;
  const std::int64_t ahead_;
  std::int64_t claimed_;  // The next place to give out.
  std::int64_t taken_;    // The next place to take; written by the taker alone.
  bool stopped_ = false;
  std::vector<Slot> slots_;
  std::mutex mutex_;
  std::condition_variable may_make_;
  std::condition_variable may_take_;
};

}  // namespace ddx::data::detail
