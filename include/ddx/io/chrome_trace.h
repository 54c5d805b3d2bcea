/// \file
/// What a lazy device does as a picture in time.

#pragma once

#include "ddx/tensor/span_recording.h"

#include <cstddef>
#include <filesystem>

namespace ddx::io {

/// Records what the lazy device does while it lives, and writes it to a file that chrome://tracing
/// and https://ui.perfetto.dev show: for each thread what it records, compiles (with the passes),
/// runs and launches. A launch comes with its operations, types, the user's line, flops and bytes.
///
/// Example:
///   {
///     io::ChromeTrace trace("step.json");
///     train_one_step();
///   }
/// Source:   "Trace Event Format", complete events ("X"), times in microseconds.
class ChromeTrace {
 public:
  /// Begins.
  ///
  /// Throws:  std::bad_alloc.
  explicit ChromeTrace(std::filesystem::path file);
  ChromeTrace(const ChromeTrace&) = delete;
  ChromeTrace& operator=(const ChromeTrace&) = delete;

  /// Writes the events since the last `write`, also during an exception. Errors are ignored: call
  /// `write` to see them.
  ~ChromeTrace();

  /// Replaces the file by all spans that have ended so far, as io::write_file_atomically.
  ///
  /// Throws:  EnvironmentError where the file cannot be written.
  void write();

 private:
  std::filesystem::path file_;
  SpanRecording recording_;
  std::size_t written_ = 0;
  bool is_written_ = false;
};

}  // namespace ddx::io
