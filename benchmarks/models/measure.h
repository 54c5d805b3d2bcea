/// \file
/// Verification and timing of training steps in this process.

#pragma once

#include <string>

namespace ddx::bench {

/// Throws: InternalError where the losses of the first steps on the cpu are not those of the naive
///         device, or do not fall.
void verify(const std::string& workload);

/// What was measured, as one row of the table.
struct Measurement {
  std::string name;
  std::string framework;
  std::string mode;
  std::string device;
  std::string dtype;
  int threads = 0;
  double median_ms = 0;
  double min_ms = 0;
  double compile_s = 0;  ///< The whole first step; for eager frameworks what its first use sets up.
  double peak_rss_mb = 0;
};

/// Times single steps on the cpu: after three that warm up, at least ten and for `seconds`.
[[nodiscard]] Measurement measure(const std::string& workload, int threads, double seconds);

}  // namespace ddx::bench
