/// \file
/// Spans of time that are recorded on demand.

#pragma once

#include "ddx/backend/span_recording.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace ddx::backend::lazy {

/// How many recordings there are.
extern std::atomic<int> span_recordings;

[[nodiscard]] inline bool are_spans_recorded() noexcept {
  return span_recordings.load(std::memory_order_relaxed) > 0;
}

/// Gives a span, of the calling thread, to all recordings.
void add_span(Span span) noexcept;

/// A span from here to the end of the scope, where spans are recorded.
class ScopedSpan {
 public:
  explicit ScopedSpan(SpanKind kind, std::size_t operations = 0,
                      std::shared_ptr<const KernelInfo> kernel = nullptr) {
    if (are_spans_recorded()) {
      is_recorded_ = true;
      span_.kind = kind;
      span_.name = to_string(kind);
      span_.operations = operations;
      span_.kernel = std::move(kernel);
      span_.begin = std::chrono::steady_clock::now();
    }
  }
  ScopedSpan(const ScopedSpan&) = delete;
  ScopedSpan& operator=(const ScopedSpan&) = delete;
  ~ScopedSpan() {
    if (is_recorded_) {
      span_.end = std::chrono::steady_clock::now();
      add_span(std::move(span_));
    }
  }

 private:
  bool is_recorded_ = false;
  Span span_;
};

/// The span of a flush, and before it that of the recording since this thread's last flush.
class FlushSpan {
 public:
  explicit FlushSpan(std::size_t operations);
  FlushSpan(const FlushSpan&) = delete;
  FlushSpan& operator=(const FlushSpan&) = delete;
  ~FlushSpan();

 private:
  std::optional<ScopedSpan> flush_;
};

/// The passes of a compilation: each begins where the one before it ends.
class PassSpans {
 public:
  /// The pass of this name, which must outlive all recordings, ends here.
  void end(std::string_view name) noexcept;

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace ddx::backend::lazy
