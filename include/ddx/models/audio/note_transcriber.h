/// \file
/// The notes in music.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/models/audio/constant_q.h"
#include "ddx/models/audio/note_transcriber_options.h"
#include "ddx/nn/activation.h"
#include "ddx/nn/layers/convolution.h"
#include "ddx/nn/layers/frozen.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/stacking.h"
#include "ddx/tensor/tensor.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numbers>
#include <source_location>
#include <vector>

namespace ddx::models {

/// What is heard in each frame of music: scores, of which `sigmoid` makes probabilities.
template <FloatingScalar Scalar>
struct NoteScores {
  Tensor<Scalar> contours;  ///< Of pitches of a third of a semitone. [n, frames, 3 notes]
  Tensor<Scalar> notes;     ///< Whether a note sounds. [n, frames, notes]
  Tensor<Scalar> onsets;    ///< Whether a note begins. [n, frames, notes]

  DDX_DIFFERENTIABLE(NoteScores, contours, notes, onsets)
};

/// Hears notes, several at once, of any instrument: convolutions over the pitches in sound, each
/// beside its harmonics. It has 16,702 parameters, and a fixed transform of 18,997 numbers. The
/// published weights (the PyPI package basic-pitch 0.4.0, Apache 2.0) are for 43,844 samples, two
/// seconds, of 22,050 a second; a note is one of the 88 keys of a piano. What is heard is measured
/// between the weakest and the strongest pitch of a whole recording.
///
/// Source:  R. M. Bittner, J. J. Bosch, D. Rubinstein, G. Meseguer-Brocal, S. Ewert, "A lightweight
///          instrument-agnostic model for polyphonic note transcription and multipitch estimation",
///          ICASSP 2022.
/// Example:
///   models::NoteTranscriber<float> model;
///   models::load_weights(model, io::WeightFiles(io::read_onnx("nmp.onnx")),
///                        name_rules(model.options));
///   const auto notes = sigmoid(model(samples).notes);
template <FloatingScalar Scalar>
struct NoteTranscriber {
  using Options = NoteTranscriberOptions;

  nn::Frozen<ConstantQ<Scalar>> pitches;
  Tensor<Scalar> scale;   ///< Of what is heard. [1]
  Tensor<Scalar> offset;  ///< [1]
  nn::Conv2D<Scalar> wide_contour;
  nn::Conv2D<Scalar> contour;
  nn::Conv2D<Scalar> wide_note;
  nn::Conv2D<Scalar> note;
  nn::Conv2D<Scalar> wide_onset;
  nn::Conv2D<Scalar> onset;
  Options options;

  /// Throws: UsageError where a number is below 1 or not above 0, the octaves are too few for the
  ///         bins, the bins too few for the notes, the kernel is odd or too short for the lowest
  ///         pitch of the highest octave, or the hop is no multiple of that of the lowest octave.
  explicit NoteTranscriber(const Options& given = {})
      : pitches(ConstantQ<Scalar>(given)),
        scale(ones<Scalar>({1})),
        offset(zeros<Scalar>({1})),
        wide_contour(convolution(0, 8, 8, {3, 39}, {1, 19}, 1, nn::Activation::ReLU)),
        contour(convolution(1, 8, 1, {5, 5}, {2, 2}, 1, nn::Activation::Identity)),
        wide_note(convolution(2, 1, 32, {7, 7}, {3, 2}, 3, nn::Activation::ReLU)),
        note(convolution(3, 32, 1, {7, 3}, {3, 1}, 1, nn::Activation::Identity)),
        wide_onset(convolution(4, 8, 32, {5, 5}, {2, 1}, 3, nn::Activation::ReLU)),
        onset(convolution(5, 33, 1, {3, 3}, {1, 1}, 1, nn::Activation::Identity)),
        options(given) {}

  /// Shapes:  samples [n, samples] -> [n, samples / hop + 1, ...]
  /// Throws:  UsageError as ConstantQ.
  [[nodiscard]] NoteScores<Scalar> operator()(
      const Tensor<Scalar>& samples,
      std::source_location where = std::source_location::current()) const {
    const auto heard = levels(pitches(samples, where), where) * scale + offset;
    const auto harmonics = with_harmonics(heard, where);
    const auto contours = contour(wide_contour(harmonics, where), where);
    const auto notes = note(wide_note(sigmoid(contours), where), where);
    const auto beginnings = wide_onset(harmonics, where);
    const auto onsets =
        onset(concatenate(std::vector{sigmoid(notes), beginnings}, 3, where), where);
    const std::int64_t recordings = samples.shape()[0];
    const std::int64_t frames = heard.shape()[1];
    return {reshape(contours, {recordings, frames, detail::bins_per_note * options.notes}, where),
            reshape(notes, {recordings, frames, options.notes}, where),
            reshape(onsets, {recordings, frames, options.notes}, where)};
  }

  DDX_DIFFERENTIABLE(NoteTranscriber, pitches, scale, offset, wide_contour, contour, wide_note,
                     note, wide_onset, onset)
  DDX_NO_DERIVATIVE(options)

 private:
  static nn::Conv2D<Scalar> convolution(std::uint64_t number, std::int64_t in, std::int64_t out,
                                        Extents<2> kernel, Extents<2> around,
                                        std::int64_t bin_stride, nn::Activation activation) {
    return nn::Conv2D<Scalar>(
        {.in = in,
         .out = out,
         .kernel = kernel,
         .strides = {1, bin_stride},
         .padding = Padding::amounts(around[0], around[0], around[1], around[1]),
         .activation = activation,
         .key = RandomKey(0).fold_in(number)});
  }

  /// Decibels from 0, the weakest of a recording, to 1, the strongest. The least power is 0 in 16
  /// bits.
  static Tensor<Scalar> levels(const Tensor<Scalar>& powers, std::source_location where) {
    using Wide = WideScalar<Scalar>;
    constexpr double least = 1e-10;
    const auto decibels = log(cast<Wide>(powers) + static_cast<Wide>(least)) *
                          static_cast<Wide>(10 / std::numbers::ln10);
    const auto above = decibels - min(decibels, {.axes = {1, 2}, .keep_dims = true}, where);
    const auto range = max(above, {.axes = {1, 2}, .keep_dims = true}, where);
    return cast<Scalar>(above / maximum(range, std::numeric_limits<Wide>::min()));
  }

  /// Beside each pitch those of its harmonics: [n, frames, bins] -> [n, frames, 3 notes, 8].
  Tensor<Scalar> with_harmonics(const Tensor<Scalar>& heard, std::source_location where) const {
    const std::int64_t recordings = heard.shape()[0];
    const std::int64_t frames = heard.shape()[1];
    const std::int64_t bins = options.bins;
    std::vector<Tensor<Scalar>> harmonics;
    for (const std::int64_t shift : detail::harmonic_bins) {
      const std::int64_t above = std::clamp(shift, std::int64_t{0}, bins);
      const std::int64_t below = std::clamp(-shift, std::int64_t{0}, bins);
      const auto kept =
          slice(heard, {.start = {0, 0, above}, .stop = {recordings, frames, bins - below}}, where);
      harmonics.push_back(pad(kept, {0, 0, below}, {0, 0, above}, 0, where));
    }
    const auto all = stack(harmonics, 3, where);
    const std::int64_t wanted = detail::bins_per_note * options.notes;
    return slice(all, {.start = {0, 0, 0, 0}, .stop = {recordings, frames, wanted, 8}}, where);
  }
};

}  // namespace ddx::models
