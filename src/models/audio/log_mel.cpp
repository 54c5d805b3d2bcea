#include "ddx/models/audio/log_mel.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/nn/detail/options.h"
#include "ddx/tensor/tensor.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numbers>
#include <source_location>
#include <string>
#include <vector>

namespace ddx::models::detail {
namespace {

// Slaney's scale is linear up to 1000 hertz, which are 15 mels, and logarithmic above, where 27
// mels are a factor of 6.4.
constexpr double hertz_per_mel = 200.0 / 3;
constexpr double linear_mels = 15;
constexpr double mels_per_factor = 27;

double mel_growth() {
  return std::log(6.4) / mels_per_factor;
}

double mels(double hertz) {
  const double linear = hertz / hertz_per_mel;
  return linear < linear_mels
             ? linear
             : linear_mels + std::log(hertz / (linear_mels * hertz_per_mel)) / mel_growth();
}

double hertz(double mels) {
  return mels < linear_mels
             ? mels * hertz_per_mel
             : linear_mels * hertz_per_mel * std::exp((mels - linear_mels) * mel_growth());
}

}  // namespace

Tensor<std::int32_t> frame_samples(const Shape& samples, const LogMelOptions& options,
                                   Device device, const std::source_location& where) {
  constexpr const char* name = "log_mel";
  nn::detail::require_positive(name, "bands", options.bands);
  nn::detail::require_positive(name, "rate", options.rate);
  nn::detail::require_positive(name, "window", options.window);
  nn::detail::require_positive(name, "hop", options.hop);
  const std::int64_t half = options.window / 2;
  if (samples.rank() != 2 || samples[1] <= half) {
    throw UsageError(name,
                     "shape " + to_string(samples) + " is not [n, samples] of more than " +
                         std::to_string(half) + " samples",
                     where);
  }
  const std::int64_t count = samples[1];
  const std::int64_t frames = count / options.hop;
  std::vector<std::int32_t> places;
  for (std::int64_t frame = 0; frame < frames; ++frame) {
    for (std::int64_t i = 0; i < options.window; ++i) {
      const std::int64_t place = std::abs(frame * options.hop + i - half);
      places.push_back(static_cast<std::int32_t>(place < count ? place : 2 * (count - 1) - place));
    }
  }
  return Tensor<std::int32_t>({frames, options.window}, places, device);
}

std::vector<double> hann_window(std::int64_t window) {
  std::vector<double> result;
  for (std::int64_t i = 0; i < window; ++i) {
    const double sine =
        std::sin(std::numbers::pi * static_cast<double>(i) / static_cast<double>(window));
    result.push_back(sine * sine);
  }
  return result;
}

std::vector<double> mel_filters(const LogMelOptions& options) {
  const double highest = static_cast<double>(options.rate) / 2;
  const double step = mels(highest) / static_cast<double>(options.bands + 1);
  std::vector<double> edges;
  for (std::int64_t i = 0; i < options.bands + 2; ++i) {
    edges.push_back(hertz(static_cast<double>(i) * step));
  }
  std::vector<double> result;
  for (std::int64_t i = 0; i <= options.window / 2; ++i) {
    const double frequency =
        static_cast<double>(i * options.rate) / static_cast<double>(options.window);
    for (std::size_t band = 0; band + 2 < edges.size(); ++band) {
      const double rising = (frequency - edges[band]) / (edges[band + 1] - edges[band]);
      const double falling = (edges[band + 2] - frequency) / (edges[band + 2] - edges[band + 1]);
      const double area = 2 / (edges[band + 2] - edges[band]);
      result.push_back(area * std::max(0.0, std::min(rising, falling)));
    }
  }
  return result;
}

}  // namespace ddx::models::detail
