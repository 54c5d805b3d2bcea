/// \file
/// What an adapter of low rank adds to a dense layer.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/ad/without_derivative.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/initializers/initializer.h"
#include "ddx/nn/layers/dropout.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <cstdint>
#include <source_location>

namespace ddx::nn {

/// scale (dropout(x) down) up: a dense layer of low rank without bias, which a dense layer adds to
/// its own product (`Dense::low_rank`). It begins as zero, since `up` does; `down` is uniform in
/// [-1 / sqrt(in), 1 / sqrt(in)).
///
/// Shapes:  x [..., n, in], down [in, rank], up [rank, out] -> [..., n, out]
/// Source:  E. Hu et al., "LoRA: low-rank adaptation of large language models", ICLR 2022, whose A
///          is `down` transposed and B is `up` transposed. The stabilised scale: D. Kalajdzievski,
///          "A rank stabilization scaling factor for fine-tuning with LoRA", arXiv 2312.03732.
template <FloatingScalar Scalar>
struct LowRank {
  struct Options {
    std::int64_t in = 0;
    std::int64_t out = 0;
    std::int64_t rank = 8;
    double alpha = 8;            ///< The scale is alpha / rank,
    bool is_stabilised = false;  ///< or alpha / sqrt(rank).
    double dropout = 0;          ///< Of the input, in training steps.
    RandomKey key{0};            ///< Of `down`; `initialize` draws it again.
    Device device = {};
  };

  Tensor<Scalar> down;
  Tensor<Scalar> up;
  Dropout<Scalar> dropout;
  double alpha = 8;
  bool is_stabilised = false;

  /// Throws: UsageError where an extent is below 1, or the dropout is not in [0, 1).
  explicit(false) LowRank(const Options& options)
      : dropout({.rate = options.dropout}),
        alpha(options.alpha),
        is_stabilised(options.is_stabilised) {
    detail::require_positive("LowRank", "in", options.in);
    detail::require_positive("LowRank", "out", options.out);
    detail::require_positive("LowRank", "rank", options.rank);
    down = zeros<Scalar>({options.in, options.rank}, options.device);
    up = zeros<Scalar>({options.rank, options.out}, options.device);
    initialize(options.key);
  }

  /// Draws `down`, sets `up` to zero.
  void initialize(RandomKey key) {
    const double bound = 1 / std::sqrt(static_cast<double>(down.shape()[0]));
    down = initial_values<Scalar>(Initializer::uniform(-bound, bound), down.shape(), {}, key,
                                  down.device());
    up = zeros<Scalar>(up.shape(), up.device());
  }

  /// How many numbers stand between the two products.
  [[nodiscard]] std::int64_t rank() const { return down.shape()[1]; }

  /// What the products are multiplied by.
  [[nodiscard]] double scale() const {
    const auto numbers = static_cast<double>(rank());
    return alpha / (is_stabilised ? std::sqrt(numbers) : numbers);
  }

  /// Shapes:  x [..., n, in] -> [..., n, out]
  /// Throws:  UsageError where the shapes do not fit.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) const {
    const double factor = without_derivative(scale());
    return matmul(matmul(dropout(x), down, {}, where), up, {}, where) * static_cast<Scalar>(factor);
  }

  /// scale down up: what the adapter adds to the weight.
  ///
  /// Shapes:  -> [in, out]
  [[nodiscard]] Tensor<Scalar> weight() const {
    return matmul(down, up) * static_cast<Scalar>(scale());
  }

  DDX_DIFFERENTIABLE(LowRank, down, up, dropout)
  DDX_NO_DERIVATIVE(alpha, is_stabilised)
};

}  // namespace ddx::nn
