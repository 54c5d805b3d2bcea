#include "ddx/models/audio/crepe_options.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/models/pretrained/name_rules.h"
#include "ddx/nn/detail/options.h"
#include "ddx/tensor/tensor.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <span>
#include <string>
#include <vector>

namespace ddx::models {
namespace detail {
namespace {

// Bin i is the pitch i steps above the first one, in hundredths of a semitone above 10 hertz.
constexpr double cents_of_first_bin = 1997.3794084376191;
constexpr double cents_per_bin = 20;
constexpr double cents_per_octave = 1200;
constexpr double hertz_of_no_cents = 10;
/// The bins on each side of the best one that its pitch is averaged over.
constexpr std::ptrdiff_t neighbours = 4;

}  // namespace

const CrepeOptions& checked(const CrepeOptions& options) {
  for (const std::int64_t features : options.features) {
    nn::detail::require_positive("Crepe", "features", features);
  }
  nn::detail::require_positive("Crepe", "bins", options.bins);
  return options;
}

Tensor<std::int64_t> crepe_frame_samples(const Shape& samples, const CrepeFramesOptions& options,
                                         Device device, const std::source_location& where) {
  constexpr const char* name = "crepe_frames";
  nn::detail::require_positive(name, "hop", options.hop);
  if (samples.rank() != 1 || (!options.centered && samples[0] < crepe_frame)) {
    throw UsageError(
        name,
        "the samples are " + to_string(samples) + ", expected [samples]" +
            (options.centered ? "" : ", of which a frame takes " + std::to_string(crepe_frame)),
        where);
  }
  const std::int64_t room = options.centered ? samples[0] : samples[0] - crepe_frame;
  const std::int64_t frames = room / options.hop + 1;
  std::vector<std::int64_t> places;
  for (std::int64_t frame = 0; frame < frames; ++frame) {
    for (std::int64_t i = 0; i < crepe_frame; ++i) {
      places.push_back(frame * options.hop + i);
    }
  }
  return Tensor<std::int64_t>({frames, crepe_frame}, places, device);
}

std::vector<double> hertz_of_bins(std::span<const double> probabilities, std::int64_t bins) {
  const auto row_size = static_cast<std::size_t>(bins);
  std::vector<double> result;
  for (std::size_t begin = 0; begin + row_size <= probabilities.size(); begin += row_size) {
    const auto row = probabilities.subspan(begin, row_size);
    const auto best = std::ranges::max_element(row) - row.begin();
    const auto last = std::min<std::ptrdiff_t>(best + neighbours, bins - 1);
    double weights = 0;
    double cents = 0;
    for (auto bin = std::max<std::ptrdiff_t>(best - neighbours, 0); bin <= last; ++bin) {
      const double weight = row[static_cast<std::size_t>(bin)];
      weights += weight;
      cents += weight * (cents_of_first_bin + cents_per_bin * static_cast<double>(bin));
    }
    result.push_back(hertz_of_no_cents * std::exp2(cents / weights / cents_per_octave));
  }
  return result;
}

}  // namespace detail

NameRules name_rules(const CrepeOptions& options) {
  NameRules names{.rules = {{"head.weight", {"classifier.weight"}, Layout::Transposed},
                            {"head.bias", {"classifier.bias"}}},
                  .ignored = {"{*}.num_batches_tracked"}};
  for (std::size_t i = 0; i < options.features.size(); ++i) {
    const std::string ours = "blocks." + std::to_string(i) + ".";
    const std::string theirs = "conv" + std::to_string(i + 1);
    // There they are convolutions over two axes.
    names.rules.push_back({.ours = ours + "convolution.filter",
                           .theirs = {theirs + ".weight"},
                           .layout = Layout::Filter,
                           .ignores_unit_axes = true});
    names.rules.push_back({ours + "convolution.bias", {theirs + ".bias"}});
    names.rules.push_back({ours + "norm.scale", {theirs + "_BN.weight"}});
    names.rules.push_back({ours + "norm.offset", {theirs + "_BN.bias"}});
    names.rules.push_back({ours + "norm.running_mean", {theirs + "_BN.running_mean"}});
    names.rules.push_back({ours + "norm.running_variance", {theirs + "_BN.running_var"}});
  }
  return names;
}

}  // namespace ddx::models
