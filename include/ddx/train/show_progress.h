/// \file
/// A training loop's progress on a stream.

#pragma once

#include "ddx/train/events.h"
#include "ddx/train/throughput.h"

#include <chrono>
#include <ostream>

namespace ddx::train {

/// How progress is shown.
struct ShowProgressOptions {
  bool is_terminal = false;  ///< Whether the stream can draw a bar in place.
  Clock clock = std::chrono::steady_clock::now;
};

/// Shows a bar with the loss, the rate and the time that is left of each epoch's training, and a
/// line for each epoch when it has ended. Borrows the stream.
///
/// Example: fit(training, digits, objective, options,
///              show_progress(std::cout, {.is_terminal = isatty(STDOUT_FILENO) == 1}));
[[nodiscard]] Events show_progress(std::ostream& out, const ShowProgressOptions& options = {});

}  // namespace ddx::train
