/// \file
/// Coordinates the producers and the consumer of prefetched items.

#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <vector>

namespace ddx::data::detail {

/// Assigns positions to producers, at most `ahead` beyond the consumer's, and notifies the consumer
/// when the item of its position is ready. A position uses the slot of its number modulo `ahead`.
class PrefetchQueue {
 public:
  /// Throws: UsageError if there is not at least one thread and one position ahead.
  PrefetchQueue(std::int64_t begin, std::int64_t end, std::int64_t threads, std::int64_t ahead);

  /// For a producer: the next position; nothing once all are assigned or the queue has stopped.
  /// Waits while its slot is in use.
  [[nodiscard]] std::optional<std::int64_t> claim();

  /// For a producer: creates the item of its claimed position, and notifies the consumer of that,
  /// or of the exception.
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

  /// For the consumer: waits for the next item; false after the last one.
  ///
  /// Throws:  the exception of its producer.
  [[nodiscard]] bool wait();
  /// For the consumer: the item has been moved out of its slot.
  void release();

  /// Wakes all waiting producers.
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
  std::int64_t claimed_;  // The next position to assign.
  std::int64_t taken_;    // The next position to consume; only the consumer writes it.
  bool stopped_ = false;
  std::vector<Slot> slots_;
  std::mutex mutex_;
  std::condition_variable may_make_;
  std::condition_variable may_take_;
};

}  // namespace ddx::data::detail
