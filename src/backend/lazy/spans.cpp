#include "backend/lazy/spans.h"

#include "ddx/backend/span_recording.h"
#include "ddx/core/detail/fork_gate.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::backend {

using Clock = std::chrono::steady_clock;

struct SpanRecording::Sink {
  Clock::time_point begin = Clock::now();
  mutable ddx::detail::ForkSafeMutex mutex;
  std::vector<Span> spans;
  std::uint64_t lost = 0;

  void add(const Span& span) noexcept {
    const std::scoped_lock lock(mutex);
    try {
      spans.push_back(span);
    } catch (const std::bad_alloc&) {
      ++lost;
    }
  }
};

namespace lazy {

constinit std::atomic<int> span_recordings{0};

namespace {

using Sink = SpanRecording::Sink;

/// The recordings there are.
class Sinks {
 public:
  static Sinks& instance() {
    // Never destroyed: threads that end late still flush.
    static auto* const sinks = new Sinks;
    return *sinks;
  }
  void insert(std::shared_ptr<Sink> sink) {
    const std::scoped_lock lock(mutex_);
    sinks_.push_back(std::move(sink));
    span_recordings.store(static_cast<int>(sinks_.size()));
  }
  void erase(const std::shared_ptr<Sink>& sink) noexcept {
    const std::scoped_lock lock(mutex_);
    sinks_.erase(std::ranges::find(sinks_, sink));
    span_recordings.store(static_cast<int>(sinks_.size()));
  }
  void add(const Span& span) noexcept {
    const std::scoped_lock lock(mutex_);
    for (const auto& sink : sinks_) {
      sink->add(span);
    }
  }
  /// When the oldest recording began.
  Clock::time_point begin() noexcept {
    const std::scoped_lock lock(mutex_);
    return sinks_.empty() ? Clock::now() : sinks_.front()->begin;
  }

 private:
  ddx::detail::ForkSafeMutex mutex_;
  std::vector<std::shared_ptr<Sink>> sinks_;
};

std::uint32_t thread_number() noexcept {
  static constinit std::atomic<std::uint32_t> last{0};
  static thread_local const std::uint32_t number = ++last;
  return number;
}

/// When this thread's last flush ended.
Clock::time_point& last_cut() noexcept {
  static thread_local constinit Clock::time_point time{};
  return time;
}

}  // namespace

void add_span(Span span) noexcept {
  span.thread = thread_number();
  Sinks::instance().add(span);
}

FlushSpan::FlushSpan(std::size_t operations) {
  if (!are_spans_recorded()) {
    return;
  }
  Span record;
  record.kind = SpanKind::Record;
  record.name = to_string(SpanKind::Record);
  record.begin = std::max(last_cut(), Sinks::instance().begin());
  record.end = Clock::now();
  record.operations = operations;
  add_span(std::move(record));
  flush_.emplace(SpanKind::Flush, operations);
}

FlushSpan::~FlushSpan() {
  if (flush_) {
    flush_.reset();
    last_cut() = Clock::now();
  }
}

void PassSpans::end(std::string_view name) noexcept {
  if (!are_spans_recorded()) {
    return;
  }
  Span span;
  span.kind = SpanKind::Pass;
  span.name = name;
  span.begin = last_;
  span.end = last_ = Clock::now();
  add_span(std::move(span));
}

}  // namespace lazy

std::string_view to_string(SpanKind kind) noexcept {
  constexpr std::array<std::string_view, 6> names{"record", "flush", "compile",
                                                  "pass",   "run",   "kernel"};
  return names[static_cast<std::size_t>(kind)];
}

SpanRecording::SpanRecording() : sink_(std::make_shared<Sink>()) {
  lazy::Sinks::instance().insert(sink_);
}

SpanRecording::~SpanRecording() {
  lazy::Sinks::instance().erase(sink_);
}

std::chrono::steady_clock::time_point SpanRecording::begin() const noexcept {
  return sink_->begin;
}

std::vector<Span> SpanRecording::spans() const {
  const std::scoped_lock lock(sink_->mutex);
  return sink_->spans;
}

std::uint64_t SpanRecording::lost() const {
  const std::scoped_lock lock(sink_->mutex);
  return sink_->lost;
}

}  // namespace ddx::backend
