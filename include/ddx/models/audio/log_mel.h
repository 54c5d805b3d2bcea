/// \file
/// Spectrograms as ears hear them.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/clip.h"
#include "ddx/tensor/complex.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/exponential.h"
#include "ddx/tensor/fourier.h"
#include "ddx/tensor/indexing.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <numbers>
#include <source_location>
#include <vector>

namespace ddx::models {

/// The settings of log_mel; by default those of Whisper.
struct LogMelOptions {
  std::int64_t bands = 80;
  std::int64_t rate = 16000;  ///< Samples a second.
  std::int64_t window = 400;  ///< Samples that a frame sees.
  std::int64_t hop = 160;     ///< Samples from a frame to the next.
};

namespace detail {

/// The samples of each frame, [frames, window], of sound that is mirrored at both ends.
///
/// Throws: UsageError where the samples are not [n, samples], more than half a window, or an option
///         is below 1.
[[nodiscard]] Tensor<std::int32_t> frame_samples(const Shape& samples, const LogMelOptions& options,
                                                 Device device, const std::source_location& where);

/// Hann's window, periodic: sin^2(pi i / window).
[[nodiscard]] std::vector<double> hann_window(std::int64_t window);

/// How much of each frequency each band hears, [window / 2 + 1, bands]: triangles of equal area
/// between frequencies that are equally far apart on Slaney's mel scale, up to half the rate.
[[nodiscard]] std::vector<double> mel_filters(const LogMelOptions& options);

}  // namespace detail

/// The energy in bands of frequencies over time: base-10 logarithms, at most 8 below the largest
/// one of each sound, plus 4, by 4. Sound is cut or filled with zeros before, to 30 seconds for
/// Whisper.
///
/// Shapes:  samples [n, samples] -> [n, samples / hop, bands]
/// Throws:  UsageError where the samples are not [n, samples] or at most half a window, or an
/// option
///          is below 1.
/// Source:  M. Slaney, "Auditory toolbox", 1998; WhisperFeatureExtractor of transformers.
/// Example:
///   const auto encoded = model.encode(models::log_mel(samples));
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> log_mel(const Tensor<Scalar>& samples,
                                     const LogMelOptions& options = {},
                                     std::source_location where = std::source_location::current()) {
  const Device device = samples.device();
  const auto places = detail::frame_samples(samples.shape(), options, device, where);
  const auto window =
      cast<Scalar>(Tensor<double>({options.window}, detail::hann_window(options.window), device));
  const auto filters = cast<Scalar>(Tensor<double>({options.window / 2 + 1, options.bands},
                                                   detail::mel_filters(options), device));
  const auto spectrum = rfft(gather(samples, places, 1, where) * window, {}, where);
  const auto energy = square(real(spectrum)) + square(imag(spectrum));
  constexpr double least = 1e-10;
  constexpr double range = 8;
  const auto logarithms =
      log(maximum(matmul(energy, filters, {}, where), static_cast<Scalar>(least))) *
      static_cast<Scalar>(std::numbers::log10e);
  const auto lowest =
      max(logarithms, {.axes = {1, 2}, .keep_dims = true}, where) - static_cast<Scalar>(range);
  return (maximum(logarithms, lowest) + Scalar{4}) * Scalar{0.25};
}

}  // namespace ddx::models
