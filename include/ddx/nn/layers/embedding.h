/// \file
/// Vectors for words.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/ad/without_derivative.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/nn/detail/constant_product.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/detail/quantized_state.h"
#include "ddx/nn/initializers/initializer.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/indexing.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/quantized_matrix.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <optional>
#include <source_location>
#include <utility>

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

  /// Whether what is quantised is the transposed weight.
  static constexpr bool quantizes_transposed = false;

  Tensor<Scalar> weight;
  /// The weight after `quantize`, in the place of `weight`, which has no elements then.
  std::optional<QuantizedMatrix> quantized_weight = std::nullopt;
  double deviation = 1;
  /// While `weight` is this array, no derivative goes to it: it is not computed. PartlyFrozen sets
  /// it. A weight that is computed from others is another array, and has its derivative.
  Tensor<Scalar> constant_weight = {};

  /// Throws: UsageError where `count` or `features` is below 1.
  explicit(false) Embedding(const Options& options) : deviation(options.deviation) {
    detail::require_positive("Embedding", "count", options.count);
    detail::require_positive("Embedding", "features", options.features);
    weight = room_for_values<Scalar>({options.count, options.features}, options.device);
    initialize(options.key);
  }

  /// Draws the weight.
  void initialize(RandomKey key) {
    weight = initial_values<Scalar>(Initializer::normal(0, deviation), weight.shape(), {}, key,
                                    weight.device());
    quantized_weight.reset();
  }

  /// Keeps the weight in 8 or 4 bits, for inference: see ddx::quantized. It gets no gradient then.
  /// A weight without elements is left as it is.
  ///
  /// Throws:  UsageError as ddx::quantized, and where it is quantised already.
  void quantize(int bits, std::source_location where = std::source_location::current()) {
    detail::require_not_quantized("Embedding", quantized_weight.has_value(), where);
    if (weight.shape().is_empty()) {
      return;
    }
    quantized_weight = quantized(weight, bits, where);
    weight = zeros<Scalar>({0, 0}, weight.device());
  }

  /// Sets the weight to a matrix that is quantised, [count, features]: as `quantize` does.
  ///
  /// Throws:  UsageError where its shape is not that of the weight, or the weight is quantised
  ///          already.
  void set_quantized(QuantizedMatrix matrix,
                     std::source_location where = std::source_location::current()) {
    detail::require_not_quantized("Embedding", quantized_weight.has_value(), where);
    detail::require_quantized_shape("Embedding", matrix, weight.shape()[0], weight.shape()[1],
                                    where);
    quantized_weight = std::move(matrix);
    weight = zeros<Scalar>({0, 0}, weight.device());
  }

  /// Names what is quantised.
  template <class Visitor>
  void visit_state(Visitor&& visitor) {
    detail::visit_quantized(visitor, quantized_weight);
  }

  /// Names what is quantised.
  template <class Visitor>
  void visit_state(Visitor&& visitor) const {
    detail::visit_quantized(visitor, quantized_weight);
  }

  /// How many different indices there are.
  [[nodiscard]] std::int64_t count() const {
    return quantized_weight ? quantized_weight->scales.shape()[0] : weight.shape()[0];
  }

  /// Shapes:  indices [...] -> [..., features]
  /// Throws:  UsageError where an index is not in [0, count).
  template <IndexScalar Index = std::int32_t>
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Index>& indices,
      std::source_location where = std::source_location::current()) const {
    if (quantized_weight) {
      return quantized_rows<Scalar>(*quantized_weight, indices, where);
    }
    if (weight.shares_storage_with(constant_weight)) {
      return gather(without_derivative(weight), indices, 0, where);
    }
    return gather(weight, indices, 0, where);
  }

  /// The vector of index 0, [1, features].
  [[nodiscard]] Tensor<Scalar> first_vector(
      std::source_location where = std::source_location::current()) const {
    if (quantized_weight) {
      return first_quantized_row<Scalar>(*quantized_weight);
    }
    const Shape vectors = weight.shape();
    return slice(weight, {.start = {0, 0}, .stop = {1, vectors[1]}}, where);
  }

  /// The products with all vectors: scores of the indices, where a head is tied to the vectors.
  ///
  /// Shapes:  x [..., n, features] -> [..., n, count]
  /// Throws:  UsageError where the shape does not fit.
  [[nodiscard]] Tensor<Scalar> scores(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    if (quantized_weight) {
      return quantized_matmul(x, *quantized_weight, where);
    }
    if (weight.shares_storage_with(constant_weight)) {
      return detail::product_with_constant(x, weight, {.transpose_right = true}, where);
    }
    return matmul(x, weight, {.transpose_right = true}, where);
  }

  DDX_DIFFERENTIABLE(Embedding, weight)
  DDX_NO_DERIVATIVE(quantized_weight, deviation, constant_weight)
};

}  // namespace ddx::nn
