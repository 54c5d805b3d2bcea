/// \file
/// What the lazy device does, and when: for traces and profiles.

#pragma once

#include "ddx/ir/cost.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::backend {

/// What a launch computes.
struct KernelInfo {
  std::string operations;  ///< "matmul", or those of a loop: "exp, mul, add".
  std::size_t operation_count = 0;
  std::string types;  ///< Of operands and results: "f32[6, 4], f32[4] -> f32[6, 4]".
  std::string line;   ///< Of the user's program, as ir::Line.
  ir::Cost work;
};

/// What is done in a span of time.
enum class SpanKind : std::uint8_t {
  Record,   ///< The program between two flushes of its thread, which records operations.
  Flush,    ///< What was recorded is looked up, made ready where it is new, and run.
  Compile,  ///< A graph is made ready.
  Pass,     ///< Of a compilation.
  Run,      ///< A graph runs.
  Kernel,   ///< A launch of it.
};

/// "record" and so on.
[[nodiscard]] std::string_view to_string(SpanKind kind) noexcept;

/// A span of time of one thread.
struct Span {
  SpanKind kind = SpanKind::Flush;
  std::string_view name;     ///< Of a pass; else as the kind.
  std::uint32_t thread = 0;  ///< Threads are numbered as they come, from 1.
  std::chrono::steady_clock::time_point begin;
  std::chrono::steady_clock::time_point end;
  std::size_t operations = 0;                ///< Of the graph, where there is one.
  std::shared_ptr<const KernelInfo> kernel;  ///< Of a launch.
};

/// While it lives, spans of all threads are added to it, also those that an exception ends, in the
/// order in which they end. Several may live at once.
///
/// Cost:    while one lives, some 0.1 us for each launch; while none does, a load for each graph
///          that is run.
class SpanRecording {
 public:
  /// Throws:  std::bad_alloc.
  SpanRecording();
  SpanRecording(const SpanRecording&) = delete;
  SpanRecording& operator=(const SpanRecording&) = delete;
  ~SpanRecording();

  [[nodiscard]] std::chrono::steady_clock::time_point begin() const noexcept;

  /// The spans that have ended since the beginning.
  ///
  /// Throws:  std::bad_alloc.
  [[nodiscard]] std::vector<Span> spans() const;

  /// How many spans there was no memory for.
  [[nodiscard]] std::uint64_t lost() const;

  struct Sink;  ///< Where spans go.

 private:
  std::shared_ptr<Sink> sink_;
};

}  // namespace ddx::backend
