#include "ddx/data/detail/prefetch_queue.h"

#include "ddx/core/detail/fork_gate.h"
#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace ddx::data::detail {

struct PrefetchQueue::State {
  struct Slot {
    bool ready = false;
    std::exception_ptr failure = {};
  };

  std::int64_t end;
  std::int64_t thread_count;
  std::int64_t claimed;  // The next position to assign.
  std::int64_t taken;    // The next position to consume; only the consumer writes it.
  std::vector<Slot> slots;
  bool stopped = false;
  std::mutex mutex = {};
  std::condition_variable may_make = {};
  std::condition_variable may_take = {};
  std::vector<std::thread> threads = {};
};

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
                             std::int64_t ahead) try
    : ahead_(ahead),
      forks_(ddx::detail::fork_count()),
      state_(new State{.end = end,
                       .thread_count = threads,
                       .claimed = begin,
                       .taken = begin,
                       .slots = std::vector<State::Slot>(slot_count(threads, ahead))}) {
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("Prefetched");
}

PrefetchQueue::~PrefetchQueue() {
  finish();
}

void PrefetchQueue::start(const std::function<void()>& work) {
  try {
    for (std::int64_t i = 0; i < state_->thread_count; ++i) {
      state_->threads.emplace_back(work);
    }
  } catch (const std::system_error& error) {
    finish();
    throw EnvironmentError("Prefetched", std::string("no thread: ") + error.what());
  } catch (const std::bad_alloc&) {
    finish();
    ddx::detail::throw_out_of_memory("Prefetched");
  }
}

bool PrefetchQueue::is_forked() const noexcept {
  return ddx::detail::fork_count() != forks_;
}

void PrefetchQueue::finish() noexcept {
  if (is_forked()) {
    // Threads of the parent wait on its parts: to destroy them would not return.
    (void)state_.release();
    return;
  }
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopped = true;
  }
  state_->may_make.notify_all();
  for (auto& thread : state_->threads) {
    thread.join();
  }
  state_->threads.clear();
}

std::optional<std::int64_t> PrefetchQueue::claim() {
  State& state = *state_;
  const auto is_over = [&] { return state.stopped || state.claimed >= state.end; };
  std::unique_lock lock(state.mutex);
  state.may_make.wait(lock, [&] { return is_over() || state.claimed - state.taken < ahead_; });
  return is_over() ? std::nullopt : std::optional(state.claimed++);
}

void PrefetchQueue::publish(std::int64_t place, std::exception_ptr failure) noexcept {
  {
    const std::lock_guard lock(state_->mutex);
    state_->slots[slot_of(place)] = {.ready = true, .failure = std::move(failure)};
  }
  state_->may_take.notify_one();
}

bool PrefetchQueue::wait() {
  if (is_forked()) {
    throw EnvironmentError("Prefetched",
                           "this process was forked from the one whose threads make "
                           "the items; make another sequence here");
  }
  std::unique_lock lock(state_->mutex);
  if (state_->taken >= state_->end) {
    return false;
  }
  const auto& slot = state_->slots[slot_of_next()];
  state_->may_take.wait(lock, [&] { return slot.ready; });
  if (slot.failure) {
    std::rethrow_exception(slot.failure);
  }
  return true;
}

void PrefetchQueue::release() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->slots[slot_of_next()] = {};
    ++state_->taken;
  }
  state_->may_make.notify_all();
}

std::size_t PrefetchQueue::slot_of_next() const noexcept {
  return slot_of(state_->taken);
}

}  // namespace ddx::data::detail
