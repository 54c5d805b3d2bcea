/// \file
/// How long the stages take (`-fddx-time-stages`).

#pragma once

#include "llvm/Support/raw_ostream.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <utility>

namespace ddx::compiler {

/// What is timed. `Find` also looks for registered derivatives; `Lower` also finds what callees
/// write; `Parse` is Clang's work on the text.
enum class Timed { Shapes, Find, Lower, Activity, Diagnose, Residuals, Emit, Verify, Parse };

/// Wall-clock times of one unit. Spans of time do not nest.
class StageTimes {
 public:
  using Clock = std::chrono::steady_clock;

  /// Adds the time of its own life to one of the times; to none where there are none.
  class Span {
   public:
    Span(StageTimes* times, Timed what) : times_(times), what_(what) {
      if (times_ != nullptr) {
        begin_ = Clock::now();
      }
    }
    Span(const Span&) = delete;
    Span& operator=(const Span&) = delete;
    ~Span() {
      if (times_ != nullptr) {
        times_->add(what_, Clock::now() - begin_);
      }
    }

   private:
    StageTimes* times_;
    Timed what_;
    Clock::time_point begin_;
  };

  void add(Timed what, Clock::duration time) { times_[static_cast<std::size_t>(what)] += time; }

  /// Counts a function whose derivative is made.
  void count_function() { ++functions_; }

  /// Counts a round of `bytes` of text, of which `Parse` begins now.
  void begin_parsing(std::size_t bytes) {
    bytes_ += bytes;
    parsing_since_ = Clock::now();
  }

  /// Ends what begin_parsing began, if anything.
  void end_parsing() {
    if (parsing_since_ != Clock::time_point()) {
      add(Timed::Parse, Clock::now() - std::exchange(parsing_since_, {}));
    }
  }

  /// One line for each time, in milliseconds.
  void print(llvm::raw_ostream& out) const;

 private:
  std::array<Clock::duration, static_cast<std::size_t>(Timed::Parse) + 1> times_{};
  Clock::time_point parsing_since_;
  std::size_t functions_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace ddx::compiler
