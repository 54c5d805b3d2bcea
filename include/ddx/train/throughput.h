/// \file
/// The throughput of a loop, and the time that is left.

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace ddx::train {

/// Measures the elapsed time.
using Clock = std::function<std::chrono::steady_clock::time_point()>;

/// Measures the rate of a loop of known length from its begin, by wall-clock time.
class Throughput {
 public:
  /// Begins now; `total` is the number of steps.
  explicit Throughput(std::int64_t total, Clock clock = std::chrono::steady_clock::now)
      : total_(total), clock_(std::move(clock)), begin_(clock_()) {}

  /// Seconds since the begin.
  [[nodiscard]] double seconds() const;
  /// Renders as "320 steps/s, 0:07 left" after so many steps; as "" before the first measurement.
  [[nodiscard]] std::string text(std::int64_t done) const;

 private:
  std::int64_t total_;
  Clock clock_;
  std::chrono::steady_clock::time_point begin_;
};

/// Renders seconds as "0:07", "12:34" or "2:00:05"; rounds up.
[[nodiscard]] std::string duration_text(double seconds);

}  // namespace ddx::train
