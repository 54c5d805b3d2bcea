/// \file
/// Whether sound has a voice in it.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/models/audio/voice_activity_options.h"
#include "ddx/nn/activation.h"
#include "ddx/nn/layers/convolution.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/frozen.h"
#include "ddx/nn/layers/recurrent/lstm_cell.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/indexing.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/stacking.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <vector>

namespace ddx::models {

/// Scores of windows of sound: above 0 where it is likelier than not that a voice is in it.
/// `sigmoid` makes probabilities of them. Each window is transformed into spectra, of which
/// convolutions make one vector; a memory carries what was heard from window to window. By default
/// it has 243,073 parameters and a fixed transform of 66,048 numbers. Published for 16,000 samples
/// a second between -1 and 1 (the PyPI package silero-vad 6.2.3, MIT).
///
/// Gradient: of the samples it is not finite where a frequency is exactly absent, as in silence.
/// Source:   Silero Team, "Silero VAD", https://github.com/snakers4/silero-vad.
/// Example:
///   models::VoiceActivity<float> model;
///   models::load_weights(model, io::WeightFiles("silero_vad_16k.safetensors"),
///                        name_rules(model.options));
///   const auto probabilities = sigmoid(model(samples));
template <FloatingScalar Scalar>
struct VoiceActivity {
  using Options = VoiceActivityOptions;
  /// What is kept of a stream between two pieces; empty before the first.
  struct Cache {
    Tensor<Scalar> samples;  ///< That the next window sees. [n, samples]
    nn::LSTMState<Scalar> memory;
    bool is_empty = true;
  };

  nn::Frozen<nn::Conv1D<Scalar>> spectrum;
  std::vector<nn::Conv1D<Scalar>> encoder;
  nn::LSTMCell<Scalar> memory;
  nn::Dense<Scalar> head;
  Options options;

  /// Throws: UsageError where an extent is below 1, or the window no multiple of 8.
  explicit VoiceActivity(const Options& given = {})
      : spectrum(fourier(detail::checked(given))),
        memory({.in = given.features, .hidden = given.features, .key = RandomKey(0).fold_in(4)}),
        head({.in = given.features, .out = 1, .key = RandomKey(0).fold_in(5)}),
        options(given) {
    const std::int64_t outer = given.features;
    const std::int64_t inner = given.inner_features;
    encoder.push_back(convolution(0, given.window / 4 + 1, outer, 1));
    encoder.push_back(convolution(1, outer, inner, 2));
    encoder.push_back(convolution(2, inner, inner, 2));
    encoder.push_back(convolution(3, inner, outer, 1));
  }

  /// The scores of whole recordings. Silence is assumed before them, and where the last window is
  /// not full.
  ///
  /// Shapes:  samples [n, samples] -> [n, samples / window, rounded up]
  /// Throws:  UsageError where the samples are not [n, samples].
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& samples,
      std::source_location where = std::source_location::current()) const {
    require_samples(samples.shape(), where);
    const std::int64_t count = samples.shape()[1];
    const std::int64_t windows = (count + options.window - 1) / options.window;
    const auto vectors =
        encode(pad(samples, {0, context()}, {0, windows * options.window - count}, 0, where),
               windows, where);
    auto state = memory.initial_state(samples.shape()[0]);
    std::vector<Tensor<Scalar>> scores;
    for (std::int64_t i = 0; i < windows; ++i) {
      state = memory(window(vectors, i, where), state, where);
      scores.push_back(score(state, where));
    }
    if (scores.empty()) {
      return zeros<Scalar>({samples.shape()[0], 0}, samples.device());
    }
    return concatenate(scores, 1, where);
  }

  /// The scores of the windows that a piece of a stream, of any length, completes. The remainder is
  /// kept in the cache, and the scores are those of all pieces together.
  ///
  /// Shapes:  samples [n, samples] -> [n, windows]
  /// Throws:  UsageError where the samples are not [n, samples], or n changes. The cache is then
  ///          unchanged.
  [[nodiscard]] Tensor<Scalar> extend(
      const Tensor<Scalar>& samples, Cache& cache,
      std::source_location where = std::source_location::current()) const {
    require_samples(samples.shape(), where);
    const std::int64_t recordings = samples.shape()[0];
    const auto before =
        cache.is_empty ? zeros<Scalar>({recordings, context()}, samples.device()) : cache.samples;
    auto state = cache.is_empty ? memory.initial_state(recordings) : cache.memory;
    const auto all = concatenate(std::vector{before, samples}, 1, where);
    const std::int64_t windows = (all.shape()[1] - context()) / options.window;
    const auto vectors = encode(all, windows, where);
    std::vector<Tensor<Scalar>> scores{zeros<Scalar>({recordings, 0}, samples.device())};
    for (std::int64_t i = 0; i < windows; ++i) {
      state = memory(window(vectors, i, where), state, where);
      scores.push_back(score(state, where));
    }
    cache = {slice(all, {.start = {0, windows * options.window}}, where), state, false};
    return concatenate(scores, 1, where);
  }

  DDX_DIFFERENTIABLE(VoiceActivity, spectrum, encoder, memory, head)
  DDX_NO_DERIVATIVE(options)

 private:
  static nn::Conv1D<Scalar> fourier(const Options& given) {
    const std::int64_t size = given.window / 2;
    nn::Conv1D<Scalar> result(
        {.in = 1, .out = size + 2, .kernel = {size}, .strides = {given.window / 4}, .bias = false});
    result.filter =
        cast<Scalar>(Tensor<double>({size, 1, size + 2}, detail::fourier_filter(given)));
    return result;
  }
  static nn::Conv1D<Scalar> convolution(std::uint64_t number, std::int64_t in, std::int64_t out,
                                        std::int64_t stride) {
    return nn::Conv1D<Scalar>({.in = in,
                               .out = out,
                               .kernel = {3},
                               .strides = {stride},
                               .padding = Padding::amounts(1, 1),
                               .activation = nn::Activation::ReLU,
                               .key = RandomKey(0).fold_in(number)});
  }
  [[nodiscard]] std::int64_t context() const { return options.window / 8; }

  static void require_samples(const Shape& samples, std::source_location where) {
    if (samples.rank() != 2) {
      throw UsageError("VoiceActivity",
                       "the samples are " + to_string(samples) + ", expected [n, samples]", where);
    }
  }

  /// The vectors of windows that lie one behind the other, with the context of the first in front:
  /// [n, context + samples] -> [n, windows, features].
  Tensor<Scalar> encode(const Tensor<Scalar>& samples, std::int64_t windows,
                        std::source_location where) const {
    const std::int64_t recordings = samples.shape()[0];
    const auto places = detail::window_samples(options, windows, samples.device());
    const auto seen = gather(samples, places, 1, where);
    const std::int64_t size = options.window + 2 * context();
    const std::int64_t all = recordings * windows;
    const auto parts = spectrum(reshape(seen, {all, size, 1}, where), where);
    const std::int64_t frequencies = options.window / 4 + 1;
    const auto real_part = slice(parts, {.start = {0, 0, 0}, .stop = {all, 4, frequencies}}, where);
    const auto imaginary_part = slice(parts, {.start = {0, 0, frequencies}}, where);
    auto x = sqrt(square(real_part) + square(imaginary_part));
    for (const auto& layer : encoder) {
      x = layer(x, where);
    }
    return reshape(x, {recordings, windows, options.features}, where);
  }

  Tensor<Scalar> window(const Tensor<Scalar>& vectors, std::int64_t i,
                        std::source_location where) const {
    const std::int64_t recordings = vectors.shape()[0];
    return reshape(
        slice(vectors, {.start = {0, i, 0}, .stop = {recordings, i + 1, options.features}}, where),
        {recordings, options.features}, where);
  }

  Tensor<Scalar> score(const nn::LSTMState<Scalar>& state, std::source_location where) const {
    return head(relu(state.hidden), where);
  }
};

}  // namespace ddx::models
