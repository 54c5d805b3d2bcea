/// \file
/// How far a loop has come, for people to read.

#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <utility>

namespace ddx::train {

/// Shows the progress of a loop on a stream: a bar that is drawn again and again on a terminal, and
/// else a plain line for each tenth of the way.
class Progress {
 public:
  /// Borrows the stream. `title` stands before the bar; `total` is the number of steps.
  Progress(std::ostream& out, bool is_terminal, std::string title, std::int64_t total)
      : out_(out), is_terminal_(is_terminal), title_(std::move(title)), total_(total) {}

  /// `done` steps are done; `note` stands behind the bar. Draws only where the picture changes by
  /// 1 / 100 (on a terminal) or 1 / 10.
  void show(std::int64_t done, const std::string& note);

  /// Removes the bar from a terminal, so that a line can be printed in its place.
  void clear();

 private:
  std::ostream& out_;
  bool is_terminal_;
  std::string title_;
  std::int64_t total_;
  std::int64_t shown_ = -1;
  std::size_t width_ = 0;
};

}  // namespace ddx::train
