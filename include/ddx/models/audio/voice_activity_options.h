/// \file
/// The settings of the detector of voices, and the names of its arrays in published files.

#pragma once

#include "ddx/core/device.h"
#include "ddx/models/pretrained/name_rules.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <vector>

namespace ddx::models {

/// The settings of VoiceActivity; by default those that are published for 16,000 samples a second.
struct VoiceActivityOptions {
  /// Samples for each probability. An eighth of so many before them is seen again, half of so many
  /// are transformed at a time, a quarter of so many lie between two transforms.
  std::int64_t window = 512;
  std::int64_t features = 128;  ///< Of the outer convolutions and of the memory.
  std::int64_t inner_features = 64;

  friend bool operator==(const VoiceActivityOptions&, const VoiceActivityOptions&) = default;
};

namespace detail {

/// Throws: UsageError where an extent is below 1, or the window no multiple of 8.
const VoiceActivityOptions& checked(const VoiceActivityOptions& options);

/// The real and then the imaginary parts of a Fourier transform behind Hann's window, as the filter
/// of a convolution: [window / 2, 1, window / 2 + 2].
[[nodiscard]] std::vector<double> fourier_filter(const VoiceActivityOptions& options);

/// The samples of each window, [windows, 5/4 window]: those before, its own, and the last ones
/// mirrored.
[[nodiscard]] Tensor<std::int64_t> window_samples(const VoiceActivityOptions& options,
                                                  std::int64_t windows, Device device);

}  // namespace detail

/// What the arrays of such a model are called in `silero_vad_16k.safetensors`.
[[nodiscard]] NameRules name_rules(const VoiceActivityOptions& options);

}  // namespace ddx::models
