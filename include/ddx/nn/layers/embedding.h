/// \file
/// Vectors for words.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/initializers/initializer.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/indexing.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>

namespace ddx::nn {

/// A row of a matrix for each index: the vectors of words, or of other things that are counted.
///
/// Shapes:  indices [...], weight [count, features] -> [..., features]
template <FloatingScalar Scalar>
struct Embedding {
  struct Options {
    std::int64_t count = 0;     ///< How many different indices there are.
    std::int64_t features = 0;  ///< How long the vectors are.
    double deviation = 1;       ///< Of the initial weight, which is normal around 0.
    RandomKey key{0};           ///< Of the initial weight; `initialize` draws it again.
    Device device = {};
  };

  Tensor<Scalar> weight;
  double deviation = 1;

  /// Throws: UsageError where `count` or `features` is below 1.
  explicit(false) Embedding(const Options& options) : deviation(options.deviation) {
    detail::require_positive("Embedding", "count", options.count);
    detail::require_positive("Embedding", "features", options.features);
    weight = zeros<Scalar>({options.count, options.features}, options.device);
    initialize(options.key);
  }

  /// Draws the weight.
  void initialize(RandomKey key) {
    weight = initial_values<Scalar>(Initializer::normal(0, deviation), weight.shape(), {}, key,
                                    weight.device());
  }

  /// Shapes:  indices [...] -> [..., features]
  /// Throws:  UsageError where an index is not in [0, count).
  template <IndexScalar Index = std::int32_t>
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Index>& indices,
      std::source_location where = std::source_location::current()) const {
    return gather(weight, indices, 0, where);
  }

  DDX_DIFFERENTIABLE(Embedding, weight)
  DDX_NO_DERIVATIVE(deviation)
};

}  // namespace ddx::nn
