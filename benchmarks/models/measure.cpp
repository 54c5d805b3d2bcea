#include "measure.h"

#include "ddx/backend/lazy.h"
#include "ddx/backend/loop_compilation.h"
#include "ddx/backend/pjrt.h"
#include "ddx/backend/profile.h"
#include "ddx/backend/roofline.h"
#include "ddx/backend/span_recording.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/float16.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor.h"

#include "workload.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <sys/resource.h>
#include <utility>
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

double median(std::vector<double> numbers) {
  std::ranges::sort(numbers);
  return numbers.empty() ? 0 : numbers[numbers.size() / 2];
}

/// What the host does in a step of a device that records. A step flushes once, at its end, and
/// then waits.
void measure_host(const Workload& training, Measurement& result) {
  using Clock = std::chrono::steady_clock;
  using Milliseconds = std::chrono::duration<double, std::milli>;
  constexpr int steps = 21;
  std::vector<double> record;
  std::vector<double> dispatch;
  for (int i = 0; i < steps; ++i) {
    const backend::SpanRecording recording;
    const Clock::time_point begin = Clock::now();
    (void)training.step();
    for (const backend::Span& span : recording.spans()) {
      if (span.kind == backend::SpanKind::Flush) {
        record.push_back(Milliseconds(span.begin - begin).count());
        dispatch.push_back(Milliseconds(span.end - span.begin).count());
      }
    }
  }
  result.record_ms = median(std::move(record));
  result.dispatch_ms = median(std::move(dispatch));
}

template <FloatingScalar Scalar>
double roof_of() {
  constexpr std::int64_t extent = 2048;
  constexpr int products = 10;
  const auto a = cast<Scalar>(random_normal<float>(RandomKey(1), {extent, extent}));
  const auto b = cast<Scalar>(random_normal<float>(RandomKey(2), {extent, extent}));
  double fastest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < products; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    const auto y = matmul(a, b);
    fastest = std::min(fastest, seconds_since(begin));
  }
  return 2e-9 * static_cast<double>(extent * extent * extent) / fastest;
}

}  // namespace

void verify(const std::string& name, const std::vector<std::string>& devices) {
  constexpr std::size_t compared = 2;
  constexpr int steps = 20;
  const Workload naive = workload(name, {.device = Device::naive(), .small = true});
  std::vector<double> expected;
  for (std::size_t i = 0; i < compared; ++i) {
    expected.push_back(naive.step());
  }
  for (const std::string& compared_device : devices) {
    const Device device = device_named(compared_device).value();
    const Workload training = workload(name, {.device = device, .small = true});
    std::vector<double> losses;
    for (int i = 0; i < steps; ++i) {
      losses.push_back(training.step());
    }
    for (std::size_t i = 0; i < compared; ++i) {
      if (!(std::abs(losses[i] - expected[i]) <= 1e-4 * (1 + std::abs(expected[i])))) {
        throw InternalError("bench " + name, "step " + std::to_string(i) + ": the loss on " +
                                                 to_string(device) + " is " +
                                                 std::to_string(losses[i]) + ", on naive " +
                                                 std::to_string(expected[i]));
      }
    }
    if (!(losses.back() < losses.front())) {
      throw InternalError("bench " + name,
                          "the loss does not fall: " + std::to_string(losses.front()) +
                              " at first, " + std::to_string(losses.back()) + " after " +
                              std::to_string(steps) + " steps on " + to_string(device));
    }
  }
}

Measurement measure(const Configuration& configuration) {
  constexpr int warm_up = 3;
  constexpr std::size_t least = 5;
  constexpr std::size_t most = 1000;
  const Device device = device_named(configuration.device).value();
  const double before = peak_rss_mb();
  backend::set_loop_compilation({.folder = configuration.loop_folder});
  Measurement result{.name = configuration.name,
                     .framework = "ddx",
                     .mode = device == Device::lazy() ? "lazy"
                             : device.is_lazy()       ? "pjrt"
                                                      : "eager",
                     .device = configuration.device,
                     .dtype = configuration.dtype,
                     .threads = configuration.threads,
                     .losses = {}};
  auto begin = std::chrono::steady_clock::now();
  const Workload training =
      workload(configuration.name, {.device = device, .bf16 = configuration.dtype == "bf16"});
  result.operations = training.operations;
  result.losses.push_back(training.step());
  result.compile_s = seconds_since(begin);
  for (int i = 0; i < warm_up; ++i) {
    result.losses.push_back(training.step());
  }
  backend::await_loop_compilation();
  const auto flops_before = backend::lazy_statistics().flops;
  (void)training.step();
  result.flops = static_cast<double>(backend::lazy_statistics().flops - flops_before);
  std::vector<double> times;
  begin = std::chrono::steady_clock::now();
  while (times.size() < least ||
         (seconds_since(begin) < configuration.seconds && times.size() < most)) {
    const auto step = std::chrono::steady_clock::now();
    (void)training.step();
    times.push_back(seconds_since(step));
  }
  std::sort(times.begin(), times.end());
  result.min_ms = 1e3 * times.front();
  result.median_ms = 1e3 * times[times.size() / 2];
  result.peak_rss_mb = peak_rss_mb() - before;
  const auto loops = backend::loop_compilation_statistics();
  result.plan_ms = 1e-6 * static_cast<double>(backend::lazy_statistics().compile_time.count());
  result.loop_ms = 1e-6 * static_cast<double>(loops.time.count());
  result.loops = static_cast<int>(loops.compiled);
  result.loaded_loops = static_cast<int>(loops.loaded);
  if (device.kind() == Device::Kind::Pjrt) {
    measure_host(training, result);
    result.device_kind = backend::pjrt_platform(device.platform()).devices.at(0).kind;
  }
  result.fma_gflops = device == Device::lazy() ? 1e-9 * backend::machine_roofline().flops : 0;
  return result;
}

std::string profile(const std::string& name, bool bf16) {
  constexpr int warm_up = 3;
  constexpr int steps = 10;
  constexpr std::size_t shown = 60;
  const Workload training = workload(name, {.device = Device::lazy(), .bf16 = bf16});
  for (int i = 0; i < warm_up; ++i) {
    (void)training.step();
  }
  backend::await_loop_compilation();
  (void)training.step();
  const backend::Profile measured;
  for (int i = 0; i < steps; ++i) {
    (void)training.step();
  }
  return measured.text(shown);
}

double roof(const std::string& dtype) {
  return dtype == "bf16" ? roof_of<BFloat16>() : roof_of<float>();
}

}  // namespace ddx::bench
