/// \file
/// Coordinates the producers and the consumer of prefetched items.

#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>

namespace ddx::data::detail {

/// Assigns positions to producers, at most `ahead` beyond the consumer's, and notifies the consumer
/// when the item of its position is ready. A position uses the slot of its number modulo `ahead`.
class PrefetchQueue {
 public:
  /// Throws: UsageError if there is not at least one thread and one position ahead.
  ///         EnvironmentError if the system has no memory.
  PrefetchQueue(std::int64_t begin, std::int64_t end, std::int64_t threads, std::int64_t ahead);
  PrefetchQueue(const PrefetchQueue&) = delete;
  PrefetchQueue& operator=(const PrefetchQueue&) = delete;
  ~PrefetchQueue();

  /// Runs `work`, which claims positions and makes their items, in each of the threads.
  ///
  /// Throws: EnvironmentError if the system has no thread or no memory; the threads started before
  ///         have ended.
  void start(const std::function<void()>& work);
  /// Wakes all waiting producers, and waits for the items in progress. In a process that was forked
  /// since the construction it only leaves the state to the threads of the parent.
  void finish() noexcept;

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
  /// Throws:  the exception of its producer. EnvironmentError in a forked process.
  [[nodiscard]] bool wait();
  /// For the consumer: the item has been moved out of its slot.
  void release();

  [[nodiscard]] std::size_t slot_of(std::int64_t place) const noexcept {
    return static_cast<std::size_t>(place % ahead_);
  }
  [[nodiscard]] std::size_t slot_of_next() const noexcept;

 private:
  struct State;  // With what <mutex>, <thread> and <condition_variable> declare.

  void publish(std::int64_t place, std::exception_ptr failure) noexcept;
  [[nodiscard]] bool is_forked() const noexcept;

  const std::int64_t ahead_;
  const std::uint64_t forks_;  // The fork count at the construction.
  std::unique_ptr<State> state_;
};

}  // namespace ddx::data::detail
