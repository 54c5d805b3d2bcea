/// \file
/// Residual networks for small pictures: ResNet-20, ResNet-32, ResNet-56 and so on.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/dtype.h"
#include "ddx/models/basic_block.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/layers/batch_norm.h"
#include "ddx/nn/layers/convolution.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/global_pool.h"
#include "ddx/tensor/activation.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>
#include <vector>

namespace ddx::models {

/// The settings of ResidualNetwork.
struct ResidualNetworkOptions {
  std::int64_t blocks = 3;    ///< In each of the three stages; 6 blocks + 2 is the usual name: 20.
  std::int64_t width = 16;    ///< Channels of the first stage; the next ones have 2 and 4 times it.
  std::int64_t channels = 3;  ///< Of the pictures.
  std::int64_t classes = 10;
  double momentum = 0.9;  ///< Of the running averages of batch normalisation.
};

/// A convolution, three stages of blocks with half the rows and columns of the one before and twice
/// its channels, the average over all places, and a dense layer.
///
/// ResNet-20 has 269,722 parameters, counting 1,376 scales and offsets of normalisations.
///
/// Shapes:  images [n, h, w, channels] -> [n, classes], one score per class; h and w at least 1
/// Source:  K. He, X. Zhang, S. Ren, J. Sun, "Deep residual learning for image recognition", CVPR
///          2016, section 4.2.
template <FloatingScalar Scalar>
struct ResidualNetwork {
  using Options = ResidualNetworkOptions;

  nn::Conv2D<Scalar> stem;
  nn::BatchNorm<Scalar> norm;
  std::vector<BasicBlock<Scalar>> blocks;
  nn::GlobalAvgPool<Scalar> pool{};
  nn::Dense<Scalar> classifier;

  /// Throws: UsageError where a number is below 1, or the momentum not in [0, 1).
  explicit ResidualNetwork(const Options& options = {})
      : stem{{.in = options.channels,
              .out = options.width,
              .kernel = {3, 3},
              .padding = Padding::Same,
              .bias = false,
              .initializer = nn::Initializer::HeNormal}},
        norm{{.features = options.width, .momentum = options.momentum, .epsilon = 1e-5}},
        classifier{{.in = 4 * options.width, .out = options.classes}} {
    nn::detail::require_positive("ResidualNetwork", "blocks", options.blocks);
    std::int64_t in = options.width;
    for (const std::int64_t factor : {1, 2, 4}) {
      for (std::int64_t i = 0; i < options.blocks; ++i) {
        const std::int64_t out = factor * options.width;
        blocks.push_back(BasicBlock<Scalar>{
            {.in = in, .out = out, .stride = in == out ? 1 : 2, .momentum = options.momentum}});
        in = out;
      }
    }
  }

  /// Shapes:  images [n, h, w, channels] -> [n, classes]
  /// Throws:  UsageError where the shapes do not fit.
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Scalar>& images,
      std::source_location where = std::source_location::current()) const {
    auto x = relu(norm(stem(images, where), where));
    for (const auto& block : blocks) {
      x = block(x, where);
    }
    return classifier(pool(x, where), where);
  }

  DDX_DIFFERENTIABLE(ResidualNetwork, stem, norm, blocks, pool, classifier)
};

}  // namespace ddx::models
