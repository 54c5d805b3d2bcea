/// \file
/// How many arrays go to devices and come back.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace ddx::backend::pjrt {

/// Counts transfers of a client. May be used from any thread; the counts of transfers that happen
/// meanwhile may be in part of what is read.
///
/// Cost:    an addition to a word of memory for each count.
class TransferCounts {
 public:
  void count_sent(std::size_t bytes) noexcept {
    sent_.fetch_add(1, std::memory_order_relaxed);
    sent_bytes_.fetch_add(bytes, std::memory_order_relaxed);
  }
  void count_read() noexcept { read_.fetch_add(1, std::memory_order_relaxed); }

  [[nodiscard]] std::uint64_t sent() const noexcept {
    return sent_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t sent_bytes() const noexcept {
    return sent_bytes_.load(std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t read() const noexcept {
    return read_.load(std::memory_order_relaxed);
  }

 private:
  std::atomic<std::uint64_t> sent_{0};
  std::atomic<std::uint64_t> sent_bytes_{0};
  std::atomic<std::uint64_t> read_{0};
};

}  // namespace ddx::backend::pjrt
