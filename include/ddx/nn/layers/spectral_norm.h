/// \file
/// Layers whose weight is divided by its largest singular value.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/detail/apply.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/detail/singular_vectors.h"

#include <cstdint>
#include <source_location>
#include <utility>

namespace ddx::nn {

/// The settings of SpectralNorm.
struct SpectralNormOptions {
  std::int64_t iterations = 1;  ///< Of the power iteration at the beginning of each step.
  double epsilon = 1e-12;       ///< The least length a vector is taken to have.
  RandomKey key{0};             ///< Of the first singular vectors.

  friend bool operator==(const SpectralNormOptions&, const SpectralNormOptions&) = default;
};

/// A layer with a `weight` or a `filter`, whose outputs are along the last axis: that weight, as a
/// matrix of the other axes by the outputs, is divided by an estimate of its largest singular
/// value, v^T weight u. The vectors u and v are improved by power iteration when a training step
/// begins, and are constants in the derivative, as in PyTorch.
///
/// Source:  T. Miyato et al., "Spectral normalization for generative adversarial networks", ICLR
///          2018.
template <class Layer>
struct SpectralNorm {
  using Weight = detail::WeightOf<Layer>;
  /// Says to `quantize` that the weight of `layer` is read here, so that it must stay as it is.
  static constexpr const char* reads_weight = "SpectralNorm";

  Layer layer;
  detail::SingularVectors<Weight> vectors;
  SpectralNormOptions options;

  /// Begins with 15 iterations.
  ///
  /// Throws: UsageError where `iterations` is below 1, or epsilon is negative or not finite.
  explicit SpectralNorm(Layer normalized, const SpectralNormOptions& given = {})
      : layer(std::move(normalized)), options(given) {
    detail::require_positive("SpectralNorm", "iterations", given.iterations);
    detail::require_not_negative("SpectralNorm", "epsilon", given.epsilon);
    initialize(given.key);
  }

  /// Draws the vectors, for the weight as it is.
  void initialize(RandomKey key) {
    vectors = detail::drawn_vectors(detail::weight_of(layer), key);
    vectors = detail::improved(vectors, detail::weight_of(layer), 15, options.epsilon);
  }

  /// Improves the vectors.
  void begin_step(RandomKey) {
    vectors =
        detail::improved(vectors, detail::weight_of(layer), options.iterations, options.epsilon);
  }

  /// What the layer makes of x with its weight divided.
  template <class Input>
  [[nodiscard]] auto operator()(
      const Input& x, std::source_location where = std::source_location::current()) const {
    Layer normalized = layer;
    if constexpr (requires { layer.weight; }) {
      normalized.weight = detail::spectrally_normalized(layer.weight, vectors);
    } else {
      normalized.filter = detail::spectrally_normalized(layer.filter, vectors);
    }
    return detail::apply(normalized, x, where);
  }

  /// Names the vectors, for checkpoints.
  template <class Visitor>
  void visit_state(Visitor&& visitor) {
    visitor("left", vectors.left);
    visitor("right", vectors.right);
  }

  /// Names the vectors, for checkpoints.
  template <class Visitor>
  void visit_state(Visitor&& visitor) const {
    visitor("left", vectors.left);
    visitor("right", vectors.right);
  }

  DDX_DIFFERENTIABLE(SpectralNorm, layer)
  DDX_NO_DERIVATIVE(vectors, options)
};

}  // namespace ddx::nn
