#include "ddx/models/audio/note_transcriber_options.h"

#include "ddx/core/error.h"
#include "ddx/models/pretrained/name_rules.h"
#include "ddx/nn/detail/options.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <numbers>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace ddx::models {
namespace detail {
namespace {

double bin_hertz(const NoteTranscriberOptions& options, std::int64_t bin) {
  return options.lowest * std::exp2(static_cast<double>(bin) / bins_per_octave);
}

/// How many samples the window of a frequency has: as many periods as fit between two bins.
std::int64_t window_length(const NoteTranscriberOptions& options, double hertz) {
  const double periods = 1 / (std::exp2(1.0 / bins_per_octave) - 1);
  return static_cast<std::int64_t>(std::ceil(periods * options.rate / hertz));
}

}  // namespace

const NoteTranscriberOptions& checked(const NoteTranscriberOptions& options) {
  constexpr const char* name = "NoteTranscriber";
  nn::detail::require_above_zero(name, "rate", options.rate);
  nn::detail::require_above_zero(name, "lowest", options.lowest);
  nn::detail::require_positive(name, "octaves", options.octaves);
  nn::detail::require_positive(name, "kernel", options.kernel);
  nn::detail::require_positive(name, "hop", options.hop);
  nn::detail::require_positive(name, "notes", options.notes);
  nn::detail::require_at_least(name, "bins", options.bins, bins_per_note * options.notes);
  nn::detail::require_at_least(name, "bins", options.bins, bins_per_octave);
  if (options.kernel % 2 != 0) {
    throw UsageError(
        name, "kernel is " + std::to_string(options.kernel) + ", an even number is required");
  }
  constexpr std::int64_t most_octaves = 20;
  if (options.octaves > most_octaves || options.bins > bins_per_octave * options.octaves) {
    throw UsageError(name, std::to_string(options.octaves) + " octaves of 36 bins for " +
                               std::to_string(options.bins) + " bins, at most " +
                               std::to_string(most_octaves) + " are supported");
  }
  if (const auto factor = std::int64_t{1} << (options.octaves - 1); options.hop % factor != 0) {
    throw UsageError(name, "hop is " + std::to_string(options.hop) + ", a multiple of " +
                               std::to_string(factor) + " is required");
  }
  const auto length = window_length(options, bin_hertz(options, options.bins - bins_per_octave));
  nn::detail::require_at_least(name, "kernel", options.kernel, length);
  return options;
}

std::vector<double> pitch_filters(const NoteTranscriberOptions& options, bool sines) {
  const auto size = static_cast<std::size_t>(options.kernel * bins_per_octave);
  std::vector<double> result(size);
  for (std::int64_t i = 0; i < bins_per_octave; ++i) {
    const double hertz = bin_hertz(options, options.bins - bins_per_octave + i);
    const std::int64_t length = window_length(options, hertz);
    const std::int64_t before = (options.kernel - length) / 2;  // 1 sample less behind, if odd.
    std::vector<double> window;
    for (std::int64_t t = 0; t < length; ++t) {
      const double sine =
          std::sin(std::numbers::pi * static_cast<double>(t) / static_cast<double>(length));
      window.push_back(sine * sine);
    }
    const double sum = std::accumulate(window.begin(), window.end(), 0.0);
    for (std::int64_t t = 0; t < length; ++t) {
      const auto time = static_cast<double>(t - (length + 1) / 2);
      const double angle = 2 * std::numbers::pi * hertz * time / options.rate;
      result[static_cast<std::size_t>((before + t) * bins_per_octave + i)] =
          window[static_cast<std::size_t>(t)] / sum * (sines ? std::sin(angle) : std::cos(angle));
    }
  }
  return result;
}

std::vector<double> half_rate_filter(const NoteTranscriberOptions& options) {
  std::vector<double> result;
  const auto last = static_cast<double>(options.kernel - 1);
  for (std::int64_t i = 0; i < options.kernel; ++i) {
    // Half of sinc(t / 2) behind Hamming's window; t is never 0, since the kernel is even.
    const double t = static_cast<double>(i) - last / 2;
    const double window =
        0.54 - 0.46 * std::cos(2 * std::numbers::pi * static_cast<double>(i) / last);
    result.push_back(window * std::sin(std::numbers::pi * t / 2) / (std::numbers::pi * t));
  }
  return result;
}

std::vector<double> pitch_scales(const NoteTranscriberOptions& options) {
  std::vector<double> result;
  for (std::int64_t bin = 0; bin < options.bins; ++bin) {
    result.push_back(
        std::sqrt(static_cast<double>(window_length(options, bin_hertz(options, bin)))));
  }
  return result;
}

}  // namespace detail

NameRules name_rules(const NoteTranscriberOptions& /*options*/) {
  // The converter to ONNX joins the names of operations that it folds, each twice.
  const auto joined = [](std::initializer_list<std::string> parts) {
    std::string name;
    for (const std::string& part : parts) {
      const std::string full = "model_1/" + part;
      name += (name.empty() ? "" : ";") + full + ";" + full;
    }
    return name;
  };
  const auto rule = [](std::string ours, std::string theirs, Layout layout = Layout::Same) {
    return NameRule{.ours = std::move(ours),
                    .theirs = {std::move(theirs)},
                    .layout = layout,
                    .ignores_unit_axes = true};
  };
  const auto bias = [](const std::string& layer) { return layer + "/BiasAdd/ReadVariableOp"; };
  const std::string pitches = "pitches.layer.";
  const std::string norm = joined({"batch_normalization/FusedBatchNormV3"});
  return {.rules = {rule(pitches + "cosines", "const_fold_opt__655", Layout::Filter),
                    rule(pitches + "sines", "const_fold_opt__664", Layout::Filter),
                    rule(pitches + "half_rate", "const_fold_opt__734", Layout::Filter),
                    rule(pitches + "scale", joined({"cq_t2010v2_1/Sqrt"})), rule("scale", norm),
                    rule("offset", norm + "1"),
                    rule("wide_contour.filter", "const_fold_opt__727", Layout::Filter),
                    rule("wide_contour.bias",
                         joined({"re_lu_1/Relu", "batch_normalization_2/FusedBatchNormV3",
                                 bias("conv2d_1"), "conv2d_1/BiasAdd", "conv2d_1/Conv2D"})),
                    rule("contour.filter", "const_fold_opt__710", Layout::Filter),
                    rule("contour.bias", joined({bias("contours-reduced")})),
                    rule("wide_note.filter", "const_fold_opt__738", Layout::Filter),
                    rule("wide_note.bias", joined({bias("conv2d_2")})),
                    rule("note.filter", "const_fold_opt__702", Layout::Filter),
                    rule("note.bias", joined({bias("conv2d_3")})),
                    rule("wide_onset.filter", "const_fold_opt__707", Layout::Filter),
                    rule("wide_onset.bias",
                         joined({"re_lu_3/Relu", "batch_normalization_3/FusedBatchNormV3",
                                 bias("conv2d_4"), "conv2d_4/BiasAdd", "conv2d_2/Conv2D",
                                 "conv2d_4/Conv2D"})),
                    rule("onset.filter", "const_fold_opt__680", Layout::Filter),
                    rule("onset.bias", joined({bias("conv2d_5")}))},
          // Constants of the arithmetic and of shapes.
          .ignored = {"const_{*}", "new_shape__{*}", "pad_const__{*}", "{*}_shape__{*}",
                      "model_1/normalized_log_1/{*}", joined({"cq_t2010v2_1/conv1d_25"}),
                      joined({"conv2d_5/Conv2D"})}};
}

}  // namespace ddx::models
