#include "measure.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"

#include "workload.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <string>
#include <sys/resource.h>
#include <vector>

namespace ddx::bench {
namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double peak_rss_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace

void verify(const std::string& name) {
  constexpr int compared = 2;
  constexpr int steps = 20;
  const Workload naive = workload(name, Device::naive());
  const Workload cpu = workload(name, Device::cpu());
  double first = 0;
  double last = 0;
  for (int i = 0; i < steps; ++i) {
    last = cpu.step();
    first = i == 0 ? last : first;
    if (i < compared) {
      const double expected = naive.step();
      if (!(std::abs(last - expected) <= 1e-4 * (1 + std::abs(expected)))) {
        throw InternalError("bench " + name, "step " + std::to_string(i) + ": the loss on cpu is " +
                                                 std::to_string(last) + ", on naive " +
                                                 std::to_string(expected));
      }
    }
  }
  if (!(last < first)) {
    throw InternalError("bench " + name, "the loss does not fall: " + std::to_string(first) +
                                             " at first, " + std::to_string(last) + " after " +
                                             std::to_string(steps) + " steps");
  }
}

Measurement measure(const std::string& name, int threads, double seconds) {
  constexpr int warm_up = 3;
  constexpr std::size_t least = 10;
  constexpr std::size_t most = 1000;
  Measurement result{name, "ddx", "eager", "cpu", "f32", threads};
  auto begin = std::chrono::steady_clock::now();
  const Workload training = workload(name, Device::cpu());
  (void)training.step();
  result.compile_s = seconds_since(begin);
  for (int i = 0; i < warm_up; ++i) {
    (void)training.step();
  }
  std::vector<double> times;
  begin = std::chrono::steady_clock::now();
  while (times.size() < least || (seconds_since(begin) < seconds && times.size() < most)) {
    const auto step = std::chrono::steady_clock::now();
    (void)training.step();
    times.push_back(seconds_since(step));
  }
  std::sort(times.begin(), times.end());
  result.min_ms = 1e3 * times.front();
  result.median_ms = 1e3 * times[times.size() / 2];
  result.peak_rss_mb = peak_rss_mb();
  return result;
}

}  // namespace ddx::bench
