#include "ad/detail/sweep_threads.h"

#include <cstdint>
#include <exception>
#include <mutex>
#include <new>
#include <pthread.h>
#include <utility>
#include <vector>

namespace ddx::detail {

SweepThreads::SweepThreads(MemorySweep& sweep)
    : sweep_(sweep),
      owned_(make_owned<CommonThreads>()),
      common_(*owned_),
      layer_(common_.cotangents) {
  common_.cotangents.kinds = &sweep.cotangents();
  common_.cotangents.objects = &sweep.objects();
  common_.sweeps.push_back(this);
}

SweepThreads::SweepThreads(MemorySweep& sweep, CommonThreads& common)
    : sweep_(sweep), common_(common), layer_(common.cotangents) {
  sweep.set_layer(&layer_);
  sweep.share_objects(*common.cotangents.objects);
  const std::lock_guard lock(common.sweeps_mutex);
  common.sweeps.push_back(this);
}

SweepThreads::~SweepThreads() {
  end_workers();
  members_.clear();
  if (owned_) {
    common_.started.clear();
  }
  const std::lock_guard lock(common_.sweeps_mutex);
  std::erase(common_.sweeps, this);
}

void CommonThreads::set_failed(bool has_failed) noexcept {
  for (auto& [object, one] : events) {
    one.turn.set_failed(has_failed);
  }
  const std::lock_guard lock(sweeps_mutex);
  for (SweepThreads* sweep : sweeps) {
    sweep->turn.set_failed(has_failed);
  }
}

void CommonThreads::fail(std::exception_ptr exception) noexcept {
  const std::lock_guard lock(mutex);
  if (!failure) {
    failure = std::move(exception);
  }
  set_failed(true);
}

void CommonThreads::rethrow_failure() {
  std::exception_ptr found;
  {
    const std::lock_guard lock(mutex);
    found = failure;
  }
  if (found) {
    std::rethrow_exception(std::move(found));
  }
}

/// The threads that still run when a reverse sweep was left by an exception.
void SweepThreads::end_workers() noexcept {
  if (!owned_) {
    return;
  }
  for (const Owned<StartedThread>& thread : common_.started) {
    if (thread->worker.joinable()) {
      common_.fail(nullptr);
      thread->worker.join();
    }
  }
  common_.failure = nullptr;
  common_.set_failed(false);
}

void CommonCotangents::settle() {
  add_mirrors(published, *kinds);
  published.reset();
}

SweepThreads& SweepThreads::of(MemorySweep& sweep) {
  if (sweep.threads() == nullptr) {
    sweep.set_threads(make_owned<SweepThreads>(sweep));
  }
  return static_cast<SweepThreads&>(*sweep.threads());
}

void SweepThreads::begin_reverse() noexcept {
  for (const Owned<MemorySweep>& member : members_) {
    member->begin_reverse();
  }
  if (owned_) {
    end_workers();
    drop_cotangents();
    for (const Owned<StartedThread>& thread : common_.started) {
      thread->sweep.begin_reverse();
    }
    for (auto& [object, events] : common_.events) {
      events.turn.set(events.count);
    }
    common_.running = 0;
  }
  observe();
}

void SweepThreads::reset() noexcept {
  for (const Owned<MemorySweep>& member : members_) {
    member->reset();
  }
  if (owned_) {
    end_workers();
    drop_cotangents();
    common_.started.clear();
    common_.events.clear();
    common_.running = 0;
  }
}

void SweepThreads::publish() {
  if (sweep_.layer() != nullptr) {
    layer_.publish(sweep_.cotangents());
  }
}

void SweepThreads::enter_layer() {
  if (sweep_.layer() == nullptr) {
    common_.cotangents.moved.swap(sweep_.cotangents());
    common_.cotangents.kinds = &common_.cotangents.moved;
    sweep_.set_layer(&layer_);
    observe();
  }
}

void SweepThreads::leave_layer() {
  if (owned_ && sweep_.layer() != nullptr) {
    publish();
    common_.cotangents.settle();
    be_common();
  }
}

void SweepThreads::be_common() noexcept {
  sweep_.set_layer(nullptr);
  common_.cotangents.moved.swap(sweep_.cotangents());
  common_.cotangents.kinds = &sweep_.cotangents();
}

void SweepThreads::drop_cotangents() noexcept {
  sweep_.cotangents().reset();
  if (sweep_.layer() != nullptr) {
    be_common();
  }
  common_.cotangents.moved.reset();
  common_.cotangents.published.reset();
}

MemorySweep& SweepThreads::member(std::uint32_t number) {
  const std::lock_guard lock(common_.mutex);
  while (members_.size() <= number) {
    auto sweep = make_owned<MemorySweep>();
    sweep->set_threads(make_owned<SweepThreads>(*sweep, common_));
    members_.push_back(std::move(sweep));
  }
  return *members_[number];
}

void SweepThreads::wait_for_turn(std::uint32_t position) noexcept {
  team->turn.wait_for(rounds * size + position);
}

void SweepThreads::end_turn(std::uint32_t position) noexcept {
  team->turn.set(rounds * size + position + 1);
  ++rounds;
}

namespace {

struct ThreadRecord {
  StartedThread* thread;
  std::size_t unused;
};
static_assert(sizeof(ThreadRecord) == 16);

}  // namespace

StartedThread*& record_thread(MemorySweep& sweep) {
  auto* record = ::new (static_cast<void*>(sweep.push(sizeof(ThreadRecord)))) ThreadRecord{};
  return record->thread;
}

StartedThread* take_thread(MemorySweep& sweep) noexcept {
  return reinterpret_cast<const ThreadRecord*>(sweep.pop(sizeof(ThreadRecord)))->thread;
}

StartedThread& add_thread(MemorySweep& sweep, const MemoryFunction* function) {
  CommonThreads& common = SweepThreads::of(sweep).common();
  auto thread = make_owned<StartedThread>();
  thread->sweep.set_threads(make_owned<SweepThreads>(thread->sweep, common));
  thread->function = function;
  const std::lock_guard lock(common.mutex);
  common.started.push_back(std::move(thread));
  ++common.running;
  return *common.started.back();
}

StartedThread* find_thread(MemorySweep& sweep, std::thread::native_handle_type handle) {
  CommonThreads& common = SweepThreads::of(sweep).common();
  const std::lock_guard lock(common.mutex);
  for (std::size_t i = common.started.size(); i-- > 0;) {
    StartedThread& thread = *common.started[i];
    if (!thread.is_joined && pthread_equal(thread.handle, handle) != 0) {
      return &thread;
    }
  }
  return nullptr;
}

void end_thread(MemorySweep& sweep, StartedThread& thread) {
  CommonThreads& common = SweepThreads::of(sweep).common();
  const std::lock_guard lock(common.mutex);
  thread.is_joined = true;
  --common.running;
}

namespace {

struct EventRecord {
  SyncEvents* events;
  std::uint32_t number;
};
static_assert(sizeof(EventRecord) == 16);

EventRecord& push_event(MemorySweep& sweep) {
  return *::new (static_cast<void*>(sweep.push(sizeof(EventRecord)))) EventRecord{nullptr, 0};
}

}  // namespace

void record_event(MemorySweep& sweep, const void* object) {
  EventRecord& record = push_event(sweep);
  if (sweep.threads() == nullptr) {
    return;  // No thread has started: those that will come after the event.
  }
  CommonThreads& common = SweepThreads::of(sweep).common();
  const std::lock_guard lock(common.mutex);
  SyncEvents& events = common.events[object];
  record = {&events, events.count++};
}

void record_no_event(MemorySweep& sweep) {
  push_event(sweep);
}

void reverse_event(MemorySweep& sweep) {
  const EventRecord record = *reinterpret_cast<const EventRecord*>(sweep.pop(sizeof(EventRecord)));
  if (record.events == nullptr) {
    return;
  }
  SweepThreads& threads = SweepThreads::of(sweep);
  threads.publish();
  record.events->turn.wait_for(record.number + 1);
  threads.observe();
  record.events->turn.set(record.number);
}

}  // namespace ddx::detail
