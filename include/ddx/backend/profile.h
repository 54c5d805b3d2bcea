/// \file
/// Where the time of a lazy device goes, and how much of the machine it uses.

#pragma once

#include "ddx/backend/roofline.h"
#include "ddx/backend/span_recording.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ddx::backend {

/// All launches of one kernel: of the same operations, types and line.
struct ProfileRow {
  KernelInfo kernel;  ///< Its work is that of one call.
  std::uint64_t calls = 0;
  std::chrono::nanoseconds time{};
};

/// The kernels of some spans, that of the most time first.
[[nodiscard]] std::vector<ProfileRow> profile_rows(std::span<const Span> spans);

/// Renders a line for each of the first `most` rows and one for all: calls, time, share of the
/// time, GFLOP/s and their share of the roofline, GB/s and their share of the bandwidth,
/// operations, types and line. What the caches hold may pass the bandwidth.
[[nodiscard]] std::string profile_text(std::span<const ProfileRow> rows, const Roofline& roofline,
                                       std::size_t most = 20);

/// Measures the launches of the lazy device while it lives.
///
/// Example:
///   const Profile profile;
///   train_one_step();
///   std::cout << profile.text();
class Profile {
 public:
  /// Measures the machine if that has not been done.
  ///
  /// Throws:  as machine_roofline.
  Profile();
  Profile(const Profile&) = delete;
  Profile& operator=(const Profile&) = delete;
  ~Profile();

  /// What has run so far.
  [[nodiscard]] std::vector<ProfileRow> rows() const;
  /// The table of it.
  [[nodiscard]] std::string text(std::size_t most = 20) const;

 private:
  Roofline roofline_;
  SpanRecording recording_;
};

}  // namespace ddx::backend
