/// \file
/// Vectors that tell the places of a sequence apart.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/initializers/initializer.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/indexing.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx::nn {

namespace detail {
/// Throws: UsageError where `x` is not [..., time, features], or does not fit in `count` places
///         from `first` on; a negative count means any number of places and features.
void require_places(const char* layer, const Shape& x, std::int64_t first, std::int64_t count,
                    std::int64_t features, const std::source_location& where);
/// Throws: UsageError where `count` is negative or `features` is odd or below 1.
ddx::detail::Array sinusoids(std::int64_t count, std::int64_t features, DType dtype, Device device,
                             const std::source_location& where);
}  // namespace detail

/// Adds a vector of its own to each place of a sequence; the vectors are parameters.
///
/// Shapes:  x [..., time, features], time at most `count` -> [..., time, features]
template <FloatingScalar Scalar>
struct LearnedPositions {
  struct Options {
    std::int64_t count = 0;     ///< How many places there are.
    std::int64_t features = 0;  ///< How long the vectors are.
    double deviation = 0.02;    ///< Of the initial vectors, which are normal around 0.
    RandomKey key{0};           ///< Of the initial vectors; `initialize` draws new ones.
    Device device = {};
  };

  Tensor<Scalar> weight;  ///< [count, features]
  double deviation = 0.02;

  /// Throws: UsageError where `count` or `features` is below 1.
  explicit(false) LearnedPositions(const Options& options) : deviation(options.deviation) {
    detail::require_positive("LearnedPositions", "count", options.count);
    detail::require_positive("LearnedPositions", "features", options.features);
    weight = zeros<Scalar>({options.count, options.features}, options.device);
    initialize(options.key);
  }

  /// Draws the vectors.
  void initialize(RandomKey key) {
    weight = initial_values<Scalar>(Initializer::normal(0, deviation), weight.shape(), {}, key,
                                    weight.device());
  }

  /// Shapes:  x [..., time, features] -> [..., time, features]
  /// Throws:  UsageError where the sequence has more places than there are vectors, or vectors of
  ///          another length.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    return (*this)(x, 0, where);
  }

  /// As above, for sequences that begin at place `first`: those that continue others.
  ///
  /// Shapes:  x [..., time, features] -> [..., time, features]
  /// Throws:  UsageError where there are not enough vectors, or vectors of another length.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::int64_t first,
      std::source_location where = std::source_location::current()) const {
    const Shape places = x.shape();
    const Shape vectors = weight.shape();
    detail::require_places("LearnedPositions", places, first, vectors[0], vectors[1], where);
    const std::int64_t end = first + places[places.rank() - 2];
    if (first > 0 && end == first + 1 && weight.device().is_lazy()) {
      // The place is in an array, so that steps at different places are one compiled graph.
      const Tensor<std::int64_t> place({1}, {first}, weight.device());
      return x + gather(weight, place, 0, where);
    }
    return x + slice(weight, {.start = {first, 0}, .stop = {end, vectors[1]}}, where);
  }

  DDX_DIFFERENTIABLE(LearnedPositions, weight)
  DDX_NO_DERIVATIVE(deviation)
};

/// The vectors of `count` places: number 2 i of place p is sin(p / 10000^(2 i / features)), number
/// 2 i + 1 its cosine.
///
/// Throws:  UsageError where `count` is negative, or `features` is odd or below 1.
/// Source:  A. Vaswani et al., "Attention is all you need", NeurIPS 2017, section 3.5.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> sinusoidal_positions(
    std::int64_t count, std::int64_t features, Device device = {},
    std::source_location where = std::source_location::current()) {
  return Tensor<Scalar>(detail::sinusoids(count, features, dtype_of<Scalar>, device, where));
}

/// Adds sinusoidal_positions to sequences.
///
/// Shapes:  x [..., time, features] -> [..., time, features]
template <FloatingScalar Scalar>
struct SinusoidalPositions {
  /// Shapes:  x [..., time, features] -> [..., time, features]
  /// Throws:  UsageError where there are fewer than two axes, or `features` is odd.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    return (*this)(x, 0, where);
  }

  /// As above, for sequences that begin at place `first`: those that continue others.
  ///
  /// Shapes:  x [..., time, features] -> [..., time, features]
  /// Throws:  UsageError where there are fewer than two axes, `features` is odd, or `first` is
  ///          negative.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::int64_t first,
      std::source_location where = std::source_location::current()) const {
    const Shape places = x.shape();
    detail::require_places("SinusoidalPositions", places, first, -1, -1, where);
    const std::int64_t end = first + places[places.rank() - 2];
    const auto all =
        sinusoidal_positions<Scalar>(end, places[places.rank() - 1], x.device(), where);
    return x + slice(all, {.start = {first, 0}}, where);
  }

  DDX_DIFFERENTIABLE(SinusoidalPositions)
};

}  // namespace ddx::nn
