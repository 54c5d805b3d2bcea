#include "ddx/backend/profile.h"

#include "ddx/backend/roofline.h"
#include "ddx/backend/span_recording.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx::backend {
namespace {

double share(double part, double whole) {
  return whole > 0 ? 100 * part / whole : 0;
}

/// What all calls of a row, or of all rows, come to.
struct Sum {
  std::uint64_t calls = 0;
  double seconds = 0;
  double flops = 0;
  double bytes = 0;

  void add(const ProfileRow& row) {
    const auto times = static_cast<double>(row.calls);
    calls += row.calls;
    seconds += std::chrono::duration<double>(row.time).count();
    flops += times * static_cast<double>(row.kernel.work.flops);
    bytes +=
        times * static_cast<double>(row.kernel.work.bytes_read + row.kernel.work.bytes_written);
  }
};

std::string line_text(const Sum& sum, const Sum& all, const Roofline& roofline,
                      const std::string& what) {
  const double flops = sum.seconds > 0 ? sum.flops / sum.seconds : 0;
  const double bytes = sum.seconds > 0 ? sum.bytes / sum.seconds : 0;
  std::array<char, 160> numbers{};
  std::snprintf(numbers.data(), numbers.size(), "%7llu %10.3f %6.1f %9.1f %7.1f %8.1f %7.1f  ",
                static_cast<unsigned long long>(sum.calls), 1e3 * sum.seconds,
                share(sum.seconds, all.seconds), 1e-9 * flops, share(flops, roofline.flops),
                1e-9 * bytes, share(bytes, roofline.bytes));
  return numbers.data() + what + "\n";
}

}  // namespace

std::vector<ProfileRow> profile_rows(std::span<const Span> spans) {
  std::map<std::tuple<std::string, std::string, std::string>, ProfileRow> by_kernel;
  for (const Span& span : spans) {
    if (span.kernel == nullptr) {
      continue;
    }
    const KernelInfo& kernel = *span.kernel;
    ProfileRow& row = by_kernel[{kernel.operations, kernel.types, kernel.line}];
    row.kernel = kernel;
    ++row.calls;
    row.time += std::chrono::duration_cast<std::chrono::nanoseconds>(span.end - span.begin);
  }
  std::vector<ProfileRow> rows;
  for (auto& [key, row] : by_kernel) {
    rows.push_back(std::move(row));
  }
  std::ranges::sort(rows, std::ranges::greater(), &ProfileRow::time);
  return rows;
}

std::string profile_text(std::span<const ProfileRow> rows, const Roofline& roofline,
                         std::size_t most) {
  Sum all;
  for (const ProfileRow& row : rows) {
    all.add(row);
  }
  std::string text = "  calls         ms  share   GFLOP/s  % roof     GB/s  % band  kernel\n";
  for (const ProfileRow& row : rows.first(std::min(most, rows.size()))) {
    Sum sum;
    sum.add(row);
    text += line_text(sum, all, roofline,
                      row.kernel.operations + ": " + row.kernel.types + ", " + row.kernel.line);
  }
  text += line_text(all, all, roofline, "all " + std::to_string(rows.size()) + " kernels");
  std::array<char, 128> machine{};
  std::snprintf(machine.data(), machine.size(),
                "roof of %d threads: %.0f GFLOP/s of f32, %.1f GB/s of a copy\n", roofline.threads,
                1e-9 * roofline.flops, 1e-9 * roofline.bytes);
  return text + machine.data();
}

Profile::Profile() : roofline_(machine_roofline()) {}

Profile::~Profile() = default;

std::vector<ProfileRow> Profile::rows() const {
  return profile_rows(recording_.spans());
}

std::string Profile::text(std::size_t most) const {
  return profile_text(rows(), roofline_, most);
}

}  // namespace ddx::backend
