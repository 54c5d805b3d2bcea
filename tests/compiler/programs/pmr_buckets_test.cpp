// Polymorphic allocators: buckets of a histogram and a map in a buffer on the stack.

#include "gradient_check.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <memory_resource>
#include <vector>

namespace {

double pmr_buckets(const std::vector<double>& samples, double width) {
  std::array<std::byte, 4096> storage{};
  std::pmr::monotonic_buffer_resource resource(storage.data(), storage.size());
  std::pmr::vector<std::pmr::vector<double>> buckets(4, &resource);
  std::pmr::map<int, double> totals(&resource);
  for (const double s : samples) {
    const int k = static_cast<int>(std::floor(std::fabs(s))) % 4;
    buckets[k].push_back(s * width);
    totals[k] += s * s;
  }
  double spread = 0;
  for (const auto& bucket : buckets) {
    double mean = 0;
    for (const double v : bucket) {
      mean += v / static_cast<double>(bucket.size());
    }
    for (const double v : bucket) {
      spread += (v - mean) * (v - mean);
    }
  }
  for (const auto& [key, total] : totals) {
    spread = 0.7 * spread + std::sqrt(1 + total) * (key + 1);
  }
  return spread;
}

DDX_CHECK_GRADIENT(pmr_buckets, at(std::vector{0.5, 1.7, -2.3, 0.2, 1.1}, 0.8),
                   at(std::vector{3.4, 3.8, 0.6}, 0.4), at(std::vector{0.9}, 1.5))

}  // namespace
