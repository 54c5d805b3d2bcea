// The traces of all threads, and what acts on those of one.

#include "backend/lazy/trace_registry.h"

#include "ddx/backend/buffer.h"
#include "ddx/backend/lazy.h"
#include "ddx/core/detail/fork_gate.h"
#include "ddx/core/device.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/kernel.h"

#include "backend/lazy/counters.h"
#include "backend/lazy/cpu_executor.h"
#include "backend/lazy/executor.h"
#include "backend/lazy/trace.h"
#include "backend/lazy_value.h"
#include "backend/non_finite.h"
#include "core/detail/thread_object.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace ddx::backend::lazy {
namespace {

/// All traces. A trace lives for ever, since any thread may hold one of its lazy values; one of a
/// thread that has ended is for the next that begins.
class Traces {
 public:
  static Traces& instance() noexcept {
    // Never destroyed, and there without an allocation.
    union Kept {
      constexpr Kept() noexcept : traces() {}
      ~Kept() {}
      Traces traces;
    };
    static constinit Kept kept;
    return kept.traces;
  }
  Trace* take(const Executor& executor) {
    const std::scoped_lock lock(mutex_);
    static constinit ddx::detail::ForkHook hook{.is_busy = &is_any_held};
    if (!std::exchange(is_hooked_, true)) {
      ddx::detail::add_fork_hook(hook);
    }
    const auto idle = std::ranges::find_if(
        idle_, [&](const Trace* trace) { return &trace->executor() == &executor; });
    if (idle == idle_.end()) {
      idle_.reserve(all_.size() + 1);  // To give one back takes no memory.
      all_.push_back(std::make_unique<Trace>(executor, are_nans_debugged()));
      return all_.back().get();
    }
    Trace* const trace = *idle;
    idle_.erase(idle);
    return trace;
  }
  void give_back(Trace* trace) noexcept {
    const std::scoped_lock lock(mutex_);
    idle_.push_back(trace);
  }
  void tell_of_debugging() {
    const std::scoped_lock lock(mutex_);
    for (const auto& trace : all_) {
      trace->set_debugged(are_nans_debugged());
    }
  }
  /// The operations that all of them have recorded.
  std::uint64_t recorded_count() {
    const std::scoped_lock lock(mutex_);
    std::uint64_t count = 0;
    for (const auto& trace : all_) {
      count += trace->recorded_count();
    }
    return count;
  }

 private:
  /// Whether another thread records or runs something, which it may do outside of the gate of
  /// forks. Asked when no other thread is inside it.
  static bool is_any_held() noexcept {
    return std::ranges::any_of(instance().all_, [](const std::unique_ptr<Trace>& trace) {
      return trace->is_held() &&
             !(trace->is_of_this_thread() && ddx::detail::is_inside_fork_gate());
    });
  }

  ddx::detail::ForkSafeMutex mutex_;
  bool is_hooked_ = false;
  std::vector<std::unique_ptr<Trace>> all_;
  std::vector<Trace*> idle_;
};

}  // namespace

/// The traces of a thread, from its first operation to its end.
class Holder {
 public:
  Holder() : trace_(Traces::instance().take(cpu_executor())) {}
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  ~Holder() {
    const ddx::detail::SharedUse use;
    Trace::found_ = nullptr;
    flush();
    Traces::instance().give_back(trace_);
    for (Trace* const trace : others_) {
      Traces::instance().give_back(trace);
    }
  }

  static Trace& trace(Device device) {
    if (in_place() != nullptr) {
      return *in_place();
    }
    Holder* const holder = Holders::get();
    if (holder == nullptr) {
      return late(device);
    }
    if (device.kind() == Device::Kind::Lazy) {
      return *(Trace::found_ = holder->trace_);
    }
    return holder->other(device);
  }

  /// All there are: of what stands in for them that alone.
  template <class Visit>
  static void for_each(const Visit& visit) {
    if (in_place() != nullptr) {
      visit(*in_place());
    } else if (Holder* const holder = Holders::current(); holder != nullptr) {
      visit(*holder->trace_);
      for (Trace* const trace : holder->others_) {
        visit(*trace);
      }
    }
  }

  /// What stands in for them; null: nothing.
  static Trace* in_place() noexcept { return in_place_; }
  static void set_in_place(Trace* trace) noexcept {
    in_place_ = trace;
    Trace::found_ = trace;  // Where that is nothing, it is to be found again.
  }

 private:
  using Holders = ddx::detail::ThreadObject<Holder>;

  /// Of what is destroyed after them, when their thread ends.
  static Trace& late(Device device) {
    if (device.kind() == Device::Kind::Lazy) {
      static auto* const trace = Traces::instance().take(cpu_executor());
      return *trace;
    }
    return *Traces::instance().take(executor_of(device));  // The process ends: none is given back.
  }

  /// That of a device of PJRT.
  Trace& other(Device device) {
    const auto found = std::ranges::find_if(
        others_, [&](const Trace* trace) { return trace->executor().device() == device; });
    if (found != others_.end()) {
      return **found;
    }
    others_.reserve(others_.size() + 1);
    others_.push_back(Traces::instance().take(executor_of(device)));
    return *others_.back();
  }
  void flush() {
    trace_->flush();
    for (Trace* const trace : others_) {
      trace->flush();
    }
  }

  static constinit thread_local Trace* in_place_;

  Trace* trace_;
  std::vector<Trace*> others_;
};

constinit thread_local Trace* Holder::in_place_ = nullptr;
constinit thread_local Trace* Trace::found_ = nullptr;

Trace& Trace::find(Device device) {
  const ddx::detail::SharedUse use;
  return Holder::trace(device);
}

void tell_traces_of_debugging() noexcept {
  Traces::instance().tell_of_debugging();
}

Trace* take_trace(Device device) {
  return Traces::instance().take(executor_of(device));
}

void give_trace_back(Trace* trace) noexcept {
  Traces::instance().give_back(trace);
}

Trace* trace_in_place() noexcept {
  return Holder::in_place();
}

void set_trace_in_place(Trace* trace) noexcept {
  Holder::set_in_place(trace);
}

}  // namespace ddx::backend::lazy

namespace ddx::backend {

void lazy_barrier() noexcept {
  lazy::Holder::for_each([](lazy::Trace& trace) { trace.flush(); });
}

ir::Graph recorded_graph(std::span<const ops::View> arrays) {
  lazy::Trace* recorder = nullptr;
  lazy::Holder::for_each([&](lazy::Trace& trace) {
    if (recorder == nullptr || std::ranges::any_of(arrays, [&](const ops::View& array) {
          const Block* const block = block_of(array);
          return block != nullptr && is_lazy(*block) &&
                 lazy_value_of(*block_of(array))->producer.load() == &trace;
        })) {
      recorder = &trace;
    }
  });
  return (recorder != nullptr ? *recorder : lazy::Holder::trace(Device::lazy())).recorded(arrays);
}

LazyStatistics lazy_statistics() noexcept {
  LazyStatistics statistics = lazy::Counters::instance().statistics();
  statistics.recorded = lazy::Traces::instance().recorded_count();
  statistics.flushes = lazy::Trace::run_count();
  return statistics;
}

}  // namespace ddx::backend
