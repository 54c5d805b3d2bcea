#include "measure.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"

#include "operation.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <fmt/format.h>
#include <vector>

namespace ddx::bench {
namespace {

double seconds_of(const Prepared& prepared, long times) {
  const auto begin = std::chrono::steady_clock::now();
  prepared.repeat(times);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

void verify(const Operation& operation) {
  const auto expected = operation.prepare(Device::naive()).elements();
  const auto got = operation.prepare(Device::cpu()).elements();
  double largest = 1;
  for (const float x : expected) {
    largest = std::max(largest, static_cast<double>(std::abs(x)));
  }
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto want = static_cast<double>(expected[i]);
    const auto have = static_cast<double>(got[i]);
    if (!(std::abs(want - have) <= 2e-5 * largest)) {
      throw InternalError(
          "bench " + operation.name,
          fmt::format("element {} on {} is {}, on naive {}", i, operation.shapes(), have, want));
    }
  }
}

std::vector<double> times_of(const Prepared& prepared, double seconds, int samples) {
  (void)seconds_of(prepared, 2);
  const double once = std::max(seconds_of(prepared, 3) / 3, 1e-8);
  // Repeated if the first guess is too short to be measured.
  const long few = std::max(1L, std::lround(0.1 * seconds / once));
  const double each = std::max(seconds_of(prepared, few) / static_cast<double>(few), 1e-9);
  const long times = std::max(1L, std::lround(seconds / each));
  std::vector<double> result;
  for (int i = 0; i < samples; ++i) {
    result.push_back(1e9 * seconds_of(prepared, times) / static_cast<double>(times));
  }
  return result;
}

}  // namespace ddx::bench
