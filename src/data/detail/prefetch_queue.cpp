#include "ddx/data/detail/prefetch_queue.h"

#include "ddx/core/error.h"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace ddx::data::detail {
namespace {

/// Checked before a member is made of it.
std::size_t slot_count(std::int64_t threads, std::int64_t ahead) {
  if (threads < 1 || ahead < 1) {
    throw UsageError("Prefetched", std::to_string(threads) + " threads and " +
                                       std::to_string(ahead) +
                                       " batches ahead, at least 1 of each is required");
  }
  return static_cast<std::size_t>(ahead);
}

}  // namespace

PrefetchQueue::PrefetchQueue(std::int64_t begin, std::int64_t end, std::int64_t threads,
                             std::int64_t ahead)
    : end_(end),
      ahead_(ahead),
      claimed_(begin),
      taken_(begin),
      slots_(slot_count(threads, ahead)) {}

std::optional<std::int64_t> PrefetchQueue::claim() {
  std::unique_lock lock(mutex_);
  may_make_.wait(lock, [&] { return stopped_ || claimed_ >= end_ || claimed_ - taken_ < ahead_; });
  return stopped_ || claimed_ >= end_ ? std::nullopt : std::optional(claimed_++);
}

void PrefetchQueue::publish(std::int64_t place, std::exception_ptr failure) noexcept {
  {
    const std::lock_guard lock(mutex_);
    slots_[slot_of(place)] = {.ready = true, .failure = std::move(failure)};
  }
  may_take_.notify_one();
}

bool PrefetchQueue::wait() {
  std::unique_lock lock(mutex_);
  if (taken_ >= end_) {
    return false;
  }
  const auto& slot = slots_[slot_of_next()];
  may_take_.wait(lock, [&] { return slot.ready; });
  if (slot.failure) {
    std::rethrow_exception(slot.failure);
  }
  return true;
}

void PrefetchQueue::release() {
  {
    const std::lock_guard lock(mutex_);
    slots_[slot_of_next()] = {};
    ++taken_;
  }
  may_make_.notify_all();
}

void PrefetchQueue::stop() noexcept {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  may_make_.notify_all();
}

}  // namespace ddx::data::detail
