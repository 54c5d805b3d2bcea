/// \file
/// Batches that threads create in advance.

#pragma once

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/data/detail/prefetch_queue.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddx::data {

/// The options of prefetching.
struct PrefetchOptions {
  std::int64_t threads = 1;  ///< How many threads create batches.
  std::int64_t ahead = 2;    ///< How many batches may wait for their use.
};

/// The items of a sequence (an Epoch, or anything with `sequence[i]`), created by threads and
/// returned in their order, so results do not depend on the threads. Borrows the sequence, which
/// several threads access at once. A forked child process has none of the threads; it needs a
/// sequence of its own.
///
/// Example:
///   Prefetched batches(epoch, 0, epoch.size(), {.threads = 2});
///   while (auto batch = batches.next()) { ... }
template <class Sequence>
class Prefetched {
 public:
  using Item = std::decay_t<decltype(std::declval<const Sequence&>()[std::int64_t{}])>;

  /// Starts to create the items in [begin, end).
  ///
  /// Throws: UsageError if there is not at least one thread and one item ahead. EnvironmentError
  ///         if the system has no thread or no memory.
  Prefetched(const Sequence& sequence, std::int64_t begin, std::int64_t end,
             const PrefetchOptions& options = {})
      : queue_(begin, end, options.threads, options.ahead),
        items_(ddx::detail::with_memory_for("Prefetched", [&] {
          return std::vector<std::optional<Item>>(static_cast<std::size_t>(options.ahead));
        })) {
    queue_.start([this, &sequence] { work(sequence); });
  }
  /// Waits for the items in progress; the others are not created.
  ~Prefetched() { queue_.finish(); }
  Prefetched(const Prefetched&) = delete;
  Prefetched& operator=(const Prefetched&) = delete;

  /// The next item, or nothing after the last. Waits until it is ready.
  ///
  /// Throws:  the exception of creating this item, now and at each later call. EnvironmentError in
  ///          a process that was forked since the construction.
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

  detail::PrefetchQueue queue_;
  std::vector<std::optional<Item>> items_;  // A slot belongs to its producer until it is ready.
};

}  // namespace ddx::data
