/// \file
/// What of the host's arrays has been sent to devices and is still in use.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/ir/graph.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <iterator>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ddx::backend::pjrt {

/// The memory of a block, which the loan owns.
[[nodiscard]] Buffer lent(const Buffer& block);

/// Arrays by their blocks, as they were sent: weights that were read from a file go to a device
/// once. It owns the blocks, so a caller that wants to write to one writes to a copy. May be used
/// from any thread.
template <class Sent>
class UploadTable {
 public:
  /// What has been sent of a block. What has not been, is: by `share(owner)` where devices may read
  /// the memory itself, which `owner` owns, else by `copy()`.
  template <class Share, class Copy>
  [[nodiscard]] std::shared_ptr<const Sent> of(const Buffer& block, const ir::Type& type,
                                               const Share& share, const Copy& copy) {
    const std::scoped_lock lock(mutex_);
    const auto [begin, end] = entries_.equal_range(block.block());
    const auto known =
        std::find_if(begin, end, [&](const auto& entry) { return entry.second.type == type; });
    if (known != end) {
      return known->second.sent;
    }
    // Each entry owns the block once, however often the plugin does.
    const bool is_large = ir::bytes_of(type) >= least_shared;
    Buffer owner = is_large ? lent(block) : block;
    std::shared_ptr<const Sent> sent = is_large ? share(owner) : copy();
    entries_.emplace(block.block(), Entry{std::move(owner), type, sent});
    return sent;
  }

  /// How often it owns a block.
  [[nodiscard]] std::size_t owners_of(const Block& block) const {
    const std::scoped_lock lock(mutex_);
    return entries_.count(&block);
  }

  /// Forgets what has no owner any more.
  void drop_unused() {
    std::vector<Entry> left;  // Destroyed without the lock: a plugin may call back.
    const std::scoped_lock lock(mutex_);
    for (auto first = entries_.begin(); first != entries_.end();) {
      const auto end = entries_.equal_range(first->first).second;
      const auto count = static_cast<std::size_t>(std::distance(first, end));
      if (first->first->owners.load(std::memory_order_acquire) > count) {
        first = end;
        continue;
      }
      for (auto entry = first; entry != end; ++entry) {
        left.push_back(std::move(entry->second));
      }
      first = entries_.erase(first, end);
    }
  }

 private:
  static constexpr std::size_t least_shared = 4096;

  struct Entry {
    Buffer owner;
    ir::Type type;
    std::shared_ptr<const Sent> sent;
  };

  mutable std::mutex mutex_;
  std::unordered_multimap<const Block*, Entry> entries_;
};

}  // namespace ddx::backend::pjrt
