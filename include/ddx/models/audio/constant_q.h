/// \file
/// The pitches in sound.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/models/audio/note_transcriber_options.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/convolution.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/padding.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>
#include <vector>

namespace ddx::models {

/// The power of each pitch over time, by a constant-Q transform: windows have the same number of
/// periods for each pitch. The same filters hear each octave, the lower ones in sound of half the
/// rate again and again.
///
/// Shapes:  samples [n, samples] -> [n, samples / hop + 1, bins]
/// Source:  C. Schörkhuber, A. Klapuri, "Constant-Q transform toolbox for music processing", 2010;
///          in the form of nnAudio's CQT2010v2.
template <FloatingScalar Scalar>
struct ConstantQ {
  Tensor<Scalar> cosines;    ///< [kernel, 1, 36]
  Tensor<Scalar> sines;      ///< [kernel, 1, 36]
  Tensor<Scalar> half_rate;  ///< [kernel, 1, 1]
  Tensor<Scalar> scale;      ///< [bins]
  std::int64_t octaves = 1;
  std::int64_t hop = 1;

  /// Throws: UsageError as NoteTranscriber.
  explicit ConstantQ(const NoteTranscriberOptions& options)
      : cosines(filter(detail::pitch_filters(detail::checked(options), false), options)),
        sines(filter(detail::pitch_filters(options, true), options)),
        half_rate(filter(detail::half_rate_filter(options), options)),
        scale(cast<Scalar>(Tensor<double>({options.bins}, detail::pitch_scales(options)))),
        octaves(options.octaves),
        hop(options.hop) {}

  /// Shapes:  samples [n, samples] -> [n, samples / hop + 1, bins]
  /// Throws:  UsageError where the samples are not [n, samples], or too few to mirror half a kernel
  ///          in the lowest octave.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& samples,
      std::source_location where = std::source_location::current()) const {
    const Shape shape = samples.shape();
    require_samples(shape, where);
    const std::int64_t half = cosines.shape()[0] / 2;
    auto sound = reshape(samples, {shape[0], shape[1], 1}, where);
    std::vector<Tensor<Scalar>> powers;
    std::int64_t stride = hop;
    for (std::int64_t octave = 0; octave < octaves; ++octave) {
      if (octave > 0) {
        sound = conv1d(sound, half_rate,
                       {.strides = {2}, .padding = Padding::amounts(half - 1, half - 1)}, where);
        stride = stride / 2;
      }
      const auto mirrored = pad_with(sound, {0, half, 0}, {0, half, 0}, PadMode::Reflect, where);
      const auto real_part = conv1d(mirrored, cosines, {.strides = {stride}}, where);
      const auto imaginary_part = conv1d(mirrored, sines, {.strides = {stride}}, where);
      powers.push_back(square(real_part) + square(imaginary_part));
    }
    std::vector<Tensor<Scalar>> rising;
    for (std::int64_t octave = octaves - 1; octave >= 0; --octave) {
      rising.push_back(powers[static_cast<std::size_t>(octave)]);
    }
    const auto all = concatenate(rising, 2, where);
    const std::int64_t bins = scale.shape()[0];
    const auto heard =
        slice(all, {.start = {0, 0, octaves * detail::bins_per_octave - bins}}, where);
    return heard * square(scale);
  }

  DDX_DIFFERENTIABLE(ConstantQ, cosines, sines, half_rate, scale)
  DDX_NO_DERIVATIVE(octaves, hop)

 private:
  static Tensor<Scalar> filter(const std::vector<double>& values,
                               const NoteTranscriberOptions& options) {
    const auto out = static_cast<std::int64_t>(values.size()) / options.kernel;
    return cast<Scalar>(Tensor<double>({options.kernel, 1, out}, values));
  }

  void require_samples(const Shape& samples, std::source_location where) const {
    const std::int64_t least = (cosines.shape()[0] / 2 + 1) << (octaves - 1);
    if (samples.rank() != 2 || samples[1] < least) {
      throw UsageError("ConstantQ",
                       "the samples are " + to_string(samples) +
                           ", expected [n, samples] of at least " + std::to_string(least) +
                           " samples",
                       where);
    }
  }
};

}  // namespace ddx::models
