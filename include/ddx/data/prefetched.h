/// \file
/// Batches that threads make ahead of their use.

#pragma once

#include "ddx/data/detail/prefetch_queue.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddx::data {

/// How batches are made ahead.
struct PrefetchOptions {
  std::int64_t threads = 1;  ///< How many make batches at a time.
  std::int64_t ahead = 2;    ///< How many batches may wait for their use.
};

/// The items of a sequence (an Epoch, or anything with `sequence[i]`), made by threads and given
/// out in their own order: what comes does not depend on the threads. Borrows the sequence, which
/// is asked from several threads at once where there are several.
///
/// Example:
///   Prefetched batches(epoch, 0, epoch.size(), {.threads = 2});
///   while (auto batch = batches.next()) { ... }
template <class Sequence>
class Prefetched {
 public:
  using Item = std::decay_t<decltype(std::declval<const Sequence&>()[std::int64_t{}])>;

  /// Begins to make the items from `begin` to before `end`.
  ///
  /// Throws: UsageError if there is not at least one thread and one item ahead. std::system_error
  ///         where the system gives no thread.
  Prefetched(const Sequence& sequence, std::int64_t begin, std::int64_t end,
             const PrefetchOptions& options = {})
      : queue_(begin, end, options.threads, options.ahead),
        items_(static_cast<std::size_t>(options.ahead)) {
    try {
      for (std::int64_t i = 0; i < options.threads; ++i) {
        threads_.emplace_back([this, &sequence] { work(sequence); });
      }
    } catch (...) {
      finish();
      throw;
    }
  }
  /// Waits for the items that are being made; those not yet begun are left out.
  ~Prefetched() { finish(); }
  Prefetched(const Prefetched&) = delete;
  Prefetched& operator=(const Prefetched&) = delete;

  /// The next item, or nothing after the last. Waits until it is made.
  ///
  /// Throws:  what making this item has thrown, now and at each later call.
  [[nodiscard]] std::optional<Item> next() {
    if (!queue_.wait()) {
      return std::nullopt;
    }
    auto item = std::exchange(items_[queue_.slot_of_next()], std::nullopt);
    queue_.release();
    return item;
  }

 private:
  void work(const Sequence& sequence) {
    while (const auto place = queue_.claim()) {
      queue_.make(*place, [&] { items_[queue_.slot_of(*place)].emplace(sequence[*place]); });
    }
  }

  void finish() noexcept {
    queue_.stop();
    for (auto& thread : threads_) {
      thread.join();
    }
  }

  detail::PrefetchQueue queue_;
  std::vector<std::optional<Item>> items_;  // A slot belongs to its maker until it is ready.
  std::vector<std::thread> threads_;
};

}  // namespace ddx::data
