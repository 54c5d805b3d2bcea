#include "ddx/models/audio/voice_activity_options.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/models/audio/log_mel.h"
#include "ddx/models/pretrained/name_rules.h"
#include "ddx/nn/detail/options.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

namespace ddx::models {
namespace detail {

const VoiceActivityOptions& checked(const VoiceActivityOptions& options) {
  constexpr const char* name = "VoiceActivity";
  nn::detail::require_positive(name, "window", options.window);
  nn::detail::require_positive(name, "features", options.features);
  nn::detail::require_positive(name, "inner_features", options.inner_features);
  if (options.window % 8 != 0) {
    throw UsageError(
        name, "window is " + std::to_string(options.window) + ", a multiple of 8 is required");
  }
  return options;
}

std::vector<double> fourier_filter(const VoiceActivityOptions& options) {
  const std::int64_t size = options.window / 2;
  const std::int64_t frequencies = size / 2 + 1;
  const auto window = hann_window(size);
  std::vector<double> result;
  for (std::int64_t time = 0; time < size; ++time) {
    for (std::int64_t i = 0; i < 2 * frequencies; ++i) {
      const double angle = 2 * std::numbers::pi *
                           static_cast<double>(i % frequencies * time % size) /
                           static_cast<double>(size);
      result.push_back(window[static_cast<std::size_t>(time)] *
                       (i < frequencies ? std::cos(angle) : -std::sin(angle)));
    }
  }
  return result;
}

Tensor<std::int64_t> window_samples(const VoiceActivityOptions& options, std::int64_t windows,
                                    Device device) {
  const std::int64_t seen = options.window + options.window / 8;
  const std::int64_t size = seen + options.window / 8;
  std::vector<std::int64_t> places;
  for (std::int64_t window = 0; window < windows; ++window) {
    for (std::int64_t i = 0; i < size; ++i) {
      const std::int64_t place = i < seen ? i : 2 * (seen - 1) - i;
      places.push_back(window * options.window + place);
    }
  }
  return Tensor<std::int64_t>({windows, size}, places, device);
}

}  // namespace detail

NameRules name_rules(const VoiceActivityOptions& /*options*/) {
  NameRules names{.rules = {{"spectrum.layer.filter", {"stft_conv.weight"}, Layout::Filter},
                            {"memory.input_weight", {"lstm_cell.weight_ih"}, Layout::Transposed},
                            {"memory.hidden_weight", {"lstm_cell.weight_hh"}, Layout::Transposed},
                            {"memory.bias", {"lstm_cell.bias_ih", "lstm_cell.bias_hh"}},
                            // There the head is a convolution.
                            {.ours = "head.weight",
                             .theirs = {"final_conv.weight"},
                             .layout = Layout::Transposed,
                             .ignores_unit_axes = true},
                            {"head.bias", {"final_conv.bias"}}}};
  for (int i = 0; i < 4; ++i) {
    const std::string ours = "encoder." + std::to_string(i);
    const std::string theirs = "conv" + std::to_string(i + 1);
    names.rules.push_back({ours + ".filter", {theirs + ".weight"}, Layout::Filter});
    names.rules.push_back({ours + ".bias", {theirs + ".bias"}});
  }
  return names;
}

}  // namespace ddx::models
