/// \file
/// The fully connected layer.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/activation.h"
#include "ddx/nn/detail/constant_product.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/detail/quantized_state.h"
#include "ddx/nn/initializers/initializer.h"
#include "ddx/nn/layers/low_rank.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/matrix_transpose.h"
#include "ddx/tensor/quantized_matrix.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <optional>
#include <source_location>
#include <utility>
#include <vector>

namespace ddx::nn {

/// y = activation(x weight + bias), or activation(x weight + bias + low_rank(x)) with an adapter.
///
/// Shapes:  x [..., n, in], weight [in, out], bias [out] -> [..., n, out]
template <FloatingScalar Scalar>
struct Dense {
  struct Options {
    std::int64_t in = 0;
    std::int64_t out = 0;
    bool bias = true;
    Activation activation = Activation::Identity;
    Initializer initializer = Initializer::GlorotUniform;
    RandomKey key{0};  ///< Of the initial weight; `initialize` draws a new one.
    Device device = {};
  };

  /// Whether what is quantised is the transposed weight.
  static constexpr bool quantizes_transposed = true;

  Tensor<Scalar> weight;
  Tensor<Scalar> bias;  ///< Without elements in a layer without bias.
  /// One adapter or none; see add_low_rank. A list, since optimisers keep state for what an empty
  /// optional could hold.
  std::vector<LowRank<Scalar>> low_rank = {};
  /// The transposed weight after `quantize`, in the place of `weight`, which has no elements then.
  std::optional<QuantizedMatrix> quantized_weight = std::nullopt;
  bool has_bias = true;
  /// While `weight` is this array, no derivative goes to it: it is not computed. PartlyFrozen sets
  /// it. A weight that is computed from others is another array, and has its derivative.
  Tensor<Scalar> constant_weight = {};
  Activation activation = Activation::Identity;
  Initializer initializer = Initializer::GlorotUniform;

  /// Throws: UsageError where `in` or `out` is below 1.
  explicit(false) Dense(const Options& options)
      : has_bias(options.bias), activation(options.activation), initializer(options.initializer) {
    detail::require_positive("Dense", "in", options.in);
    detail::require_positive("Dense", "out", options.out);
    weight = room_for_values<Scalar>({options.in, options.out}, options.device);
    bias = zeros<Scalar>({options.bias ? options.out : 0}, options.device);
    initialize(options.key);
  }

  /// Draws the weight, sets the bias to zero.
  void initialize(RandomKey key) {
    weight = initial_values<Scalar>(initializer, weight.shape(),
                                    {.in = weight.shape()[0], .out = weight.shape()[1]}, key,
                                    weight.device());
    bias = zeros<Scalar>(bias.shape(), bias.device());
    quantized_weight.reset();
  }

  /// Keeps the weight in 8 or 4 bits, for inference: see ddx::quantized. It gets no gradient then.
  /// A weight without elements is left as it is.
  ///
  /// Throws:  UsageError as ddx::quantized, and where it is quantised already.
  void quantize(int bits, std::source_location where = std::source_location::current()) {
    detail::require_not_quantized("Dense", quantized_weight.has_value(), where);
    if (weight.shape().is_empty()) {
      return;
    }
    quantized_weight = quantized(matrix_transpose(weight), bits, where);
    weight = zeros<Scalar>({0, 0}, weight.device());
  }

  /// Sets the weight to a matrix that is quantised, [out, in]: as `quantize` does.
  ///
  /// Throws:  UsageError where its shape is not that of the weight, or the weight is quantised
  ///          already.
  void set_quantized(QuantizedMatrix matrix,
                     std::source_location where = std::source_location::current()) {
    detail::require_not_quantized("Dense", quantized_weight.has_value(), where);
    detail::require_quantized_shape("Dense", matrix, weight.shape()[1], weight.shape()[0], where);
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

  /// Shapes:  x [..., n, in] -> [..., n, out]
  /// Throws:  UsageError where the shapes do not fit.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    if (!low_rank.empty()) {
      return activate(shifted(product(x, where)) + low_rank.front()(x, where), activation);
    }
    return activate(shifted(product(x, where)), activation);
  }

  DDX_DIFFERENTIABLE(Dense, weight, bias, low_rank)
  DDX_NO_DERIVATIVE(quantized_weight, has_bias, constant_weight, activation, initializer)

 private:
  Tensor<Scalar> product(const Tensor<Scalar>& x, std::source_location where) const {
    if (quantized_weight) {
      return quantized_matmul(x, *quantized_weight, where);
    }
    if (weight.shares_storage_with(constant_weight)) {
      return detail::product_with_constant(x, weight, {}, where);
    }
    return matmul(x, weight, {}, where);
  }
  Tensor<Scalar> shifted(const Tensor<Scalar>& y) const {
    if (has_bias) {
      return y + bias;
    }
    return y;
  }
};

}  // namespace ddx::nn
