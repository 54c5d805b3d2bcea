#include "backend/queue.h"

#include "ddx/backend/asynchronous.h"
#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/core/detail/fork_gate.h"
#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/ops/kernel.h"

#include "backend/detach_after_fork.h"
#include "backend/failure.h"
#include "backend/lazy_value.h"
#include "backend/queued_call.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

namespace ddx::backend {
namespace {

// Of an idle thread of the queue, before it sleeps: waking it costs the thread that issues a call 5
// us.
constexpr std::chrono::microseconds patience{50};

// Of a thread that waits for a call, before it lets others have its processor, which the kernel
// that runs meanwhile may want.
constexpr std::chrono::microseconds short_patience{5};

// What is read wherever elements are: outlives the queue, whose thread ends with the program.
// Each stands in a line of its own: two threads write them at every call.
constinit std::atomic<double> break_even{65536};
alignas(64) constinit std::atomic<std::uint64_t> issued{0};
alignas(64) constinit std::atomic<std::uint64_t> done{0};

/// Waits until met() or the time has passed; returns which.
template <class Met>
bool look_for(std::chrono::microseconds time, Met met) noexcept {
  const auto end = std::chrono::steady_clock::now() + time;
  do {
    for (int looks = 0; looks < 32; ++looks) {
      if (met()) {
        return true;
      }
      __builtin_ia32_pause();
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

class Queue {
 public:
  Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  ~Queue();

  /// Starts the thread where there is none.
  void start();
  void issue(const Request& request);
  /// Returns when the call with this number is done.
  void await(std::uint64_t number) noexcept;
  /// Throws the first failure that has not been thrown.
  void raise_unseen();

  /// In a forked process, which has no thread that serves.
  void lose_thread() noexcept;

 private:
  void serve() noexcept;
  void wake() noexcept;
  void tell_waiters(std::uint64_t number) noexcept;
  void note(Failure* failure) noexcept;

  std::array<QueuedCall, most_waiting_calls> calls_;  // Call i stands at i - 1 modulo their number.
  alignas(64) std::mutex issuing_;                    // Held by the thread that issues a call.
  std::uint64_t known_done_ = 0;                      // `done`, when it was last read.
  alignas(64) std::atomic<std::uint64_t> awaited_{std::numeric_limits<std::uint64_t>::max()};
  std::atomic<std::uint32_t> arrivals_{0};
  std::atomic<bool> asleep_{false};
  std::atomic<std::uint32_t> wakes_{0};
  std::atomic<bool> ended_{false};
  std::mutex noting_;
  Failure* unseen_ = nullptr;
  std::thread thread_;
};

Queue& queue() {
  static Queue instance;
  return instance;
}

Queue::Queue() {
  // The threads of the back end must outlive the queue, which runs what is left when it ends.
  (void)backend_of(Device::cpu());
  static constinit ddx::detail::ForkHook hook{.before = []() noexcept { queue().await(issued); },
                                              .in_child = []() noexcept { queue().lose_thread(); }};
  ddx::detail::add_fork_hook(hook);
}

Queue::~Queue() {
  cpu_is_asynchronous = false;
  await(issued);
  ended_ = true;
  wake();
  if (thread_.joinable()) {
    thread_.join();
  }
  Failure::release(unseen_);
}

void Queue::start() {
  const std::scoped_lock lock(issuing_);
  if (thread_.joinable()) {
    return;
  }
  try {
    thread_ = std::thread([this] { serve(); });
  } catch (const std::system_error& error) {
    throw EnvironmentError("set_asynchronous", std::string("no thread: ") + error.what());
  }
}

void Queue::issue(const Request& request) {
  {
    std::unique_lock lock(issuing_);
    while (issued - known_done_ == most_waiting_calls) {
      known_done_ = done;
      if (issued - known_done_ == most_waiting_calls) {
        const std::uint64_t half = issued - most_waiting_calls / 2;
        lock.unlock();
        await(half);
        lock.lock();
      }
    }
    const std::uint64_t before = issued.load(std::memory_order_relaxed);
    calls_[before % most_waiting_calls].keep(request);
    const std::uint64_t number = before + 1;
    for (const ops::View& input : request.inputs) {
      if (block_of(input) != nullptr) {
        block_of(input)->used.store(number, std::memory_order_relaxed);
      }
    }
    for (const ops::View& output : request.outputs) {
      block_of(output)->used.store(number, std::memory_order_relaxed);
      block_of(output)->written.store(number, std::memory_order_relaxed);
    }
    issued = number;
  }
  // Once: until the thread gets a processor, waking it again would cost every call 0.3 us.
  if (asleep_ && asleep_.exchange(false)) {
    wake();
  }
}

void Queue::wake() noexcept {
  wakes_.fetch_add(1);
  wakes_.notify_all();
}

void Queue::serve() noexcept {
  ddx::detail::serve_others_at_fork();
  while (!ended_) {
    const std::uint32_t seen = wakes_;
    if (!look_for(patience, [] { return issued != done; })) {
      asleep_ = true;
      if (issued == done && !ended_) {
        wakes_.wait(seen);
      }
      asleep_ = false;
    }
    const ddx::detail::SharedUse use;
    for (std::uint64_t next = done + 1; next <= issued; ++next) {
      note(calls_[(next - 1) % most_waiting_calls].run());
      done = next;
      tell_waiters(next);
    }
  }
}

void Queue::tell_waiters(std::uint64_t number) noexcept {
  if (number >= awaited_) {
    awaited_ = std::numeric_limits<std::uint64_t>::max();
    arrivals_.fetch_add(1);
    arrivals_.notify_all();
  }
}

void Queue::await(std::uint64_t number) noexcept {
  while (done < number) {
    const auto arrived = [number] { return done >= number; };
    if (look_for(short_patience, arrived) || look_for(patience, [&arrived] {
          std::this_thread::yield();
          return arrived();
        })) {
      return;
    }
    const std::uint32_t seen = arrivals_;
    for (std::uint64_t least = awaited_;
         number < least && !awaited_.compare_exchange_weak(least, number);) {
    }
    if (!arrived()) {
      arrivals_.wait(seen);
    }
  }
}

void Queue::note(Failure* failure) noexcept {
  if (failure == nullptr) {
    return;
  }
  const std::scoped_lock lock(noting_);
  if (unseen_ == nullptr || unseen_->seen()) {
    Failure::release(std::exchange(unseen_, failure));
  } else {
    Failure::release(failure);
  }
}

void Queue::raise_unseen() {
  Failure* failure = nullptr;
  {
    const std::scoped_lock lock(noting_);
    failure = std::exchange(unseen_, nullptr);
  }
  if (failure == nullptr) {
    return;
  }
  const bool seen = failure->seen();
  const auto released = [](Failure* owned) { Failure::release(owned); };
  const std::unique_ptr<Failure, decltype(released)> owner(failure, released);
  if (!seen) {
    failure->raise();
  }
}

void Queue::lose_thread() noexcept {
  cpu_is_asynchronous = false;
  asleep_ = false;
  detach_after_fork(std::move(thread_));
}

/// Whether the calls that write an operand, or use a result, are done.
bool is_ready(const Request& request) noexcept {
  const std::uint64_t now = done.load(std::memory_order_acquire);
  return std::ranges::all_of(request.inputs,
                             [now](const ops::View& input) {
                               return block_of(input) == nullptr || block_of(input)->written <= now;
                             }) &&
         std::ranges::all_of(request.outputs, [now](const ops::View& output) {
           return block_of(output) == nullptr || block_of(output)->used <= now;
         });
}

bool can_be_kept(const Request& request) noexcept {
  constexpr auto fits = [](const ops::View& view) { return backend::can_be_kept(view); };
  return std::ranges::all_of(request.inputs, fits) && std::ranges::all_of(request.outputs, fits);
}

bool has_failed(const Request& request) noexcept {
  return std::ranges::any_of(request.inputs, [](const ops::View& input) {
    return block_of(input) != nullptr && block_of(input)->failure != nullptr;
  });
}

void run_at_once(const Request& request) {
  for (const ops::View& output : request.outputs) {
    if (block_of(output) != nullptr) {
      await_unused(*block_of(output));
    }
  }
  for (const ops::View& input : request.inputs) {
    if (block_of(input) != nullptr) {
      await_elements(*block_of(input));
    }
  }
  for (const ops::View& output : request.outputs) {
    if (block_of(output) != nullptr) {
      forget_calls(*block_of(output));
    }
  }
  request.run();
}

}  // namespace

bool is_unused(const Block& block) noexcept {
  const std::uint64_t number = block.used.load(std::memory_order_relaxed);
  return number == 0 || number <= done.load(std::memory_order_acquire);
}

void forget_calls(Block& block) noexcept {
  if (block.used.load(std::memory_order_relaxed) != 0) {
    block.used.store(0, std::memory_order_relaxed);
    block.written.store(0, std::memory_order_relaxed);
    Failure::release(std::exchange(block.failure, nullptr));
  }
}

void await_elements(const Block& block) {
  const std::uint64_t number = block.written.load(std::memory_order_relaxed);
  if (number == lazy_elements) {
    materialise(block);
  } else if (number > done.load(std::memory_order_acquire)) {
    queue().await(number);
  }
  if (block.failure != nullptr) {
    block.failure->raise();
  }
}

void await_unused(const Block& block) noexcept {
  const std::uint64_t number = block.used.load(std::memory_order_relaxed);
  if (number > done.load(std::memory_order_acquire)) {
    queue().await(number);
  }
}

void submit(Device device, const Request& request, double work) {
  const bool later = is_asynchronous(device) && can_be_kept(request) &&
                     (work >= break_even.load(std::memory_order_relaxed) || !is_ready(request) ||
                      has_failed(request));
  if (later) {
    queue().issue(request);
  } else {
    run_at_once(request);
  }
}

double set_break_even(double work) noexcept {
  return break_even.exchange(work);
}

std::uint64_t waiting_calls() noexcept {
  const std::uint64_t finished = done;
  return issued - finished;
}

void set_asynchronous(Device device, bool on) {
  if (device.kind() != Device::Kind::Cpu) {
    if (on) {
      throw UsageError("set_asynchronous", "device " + to_string(device) +
                                               " computes at the call; device " +
                                               to_string(Device::cpu()) + " need not");
    }
    return;
  }
  if (on) {
    const ddx::detail::SharedUse use;
    ddx::detail::with_memory_for("set_asynchronous", [] { queue().start(); });
    cpu_is_asynchronous = true;
  } else if (cpu_is_asynchronous.exchange(false)) {
    synchronize(device);
  }
}

bool is_asynchronous(Device device) noexcept {
  return cpu_is_asynchronous.load(std::memory_order_relaxed) && device.kind() == Device::Kind::Cpu;
}

void synchronize(Device device) {
  if (device.kind() == Device::Kind::Cpu && issued != 0) {
    const ddx::detail::SharedUse use;
    queue().await(issued);
    queue().raise_unseen();
  }
}

}  // namespace ddx::backend
