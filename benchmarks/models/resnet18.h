/// \file
/// ResNet-18.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/dtype.h"
#include "ddx/nn/initializers/initializer.h"
#include "ddx/nn/layers/batch_norm.h"
#include "ddx/nn/layers/convolution.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/global_pool.h"
#include "ddx/nn/layers/pooling.h"
#include "ddx/tensor.h"

#include <cstdint>
#include <vector>

namespace ddx::bench {

/// A convolution without bias and a normalisation; padding is symmetric.
template <FloatingScalar Scalar>
struct NormedConvolution {
  nn::Conv2D<Scalar> conv;
  nn::BatchNorm<Scalar> norm;

  NormedConvolution(std::int64_t in, std::int64_t out, std::int64_t kernel, std::int64_t stride)
      : conv{{.in = in,
              .out = out,
              .kernel = {kernel, kernel},
              .strides = {stride, stride},
              .padding = Padding::amounts(kernel / 2, kernel / 2, kernel / 2, kernel / 2),
              .bias = false,
              .initializer = nn::Initializer::HeNormal}},
        norm{{.features = out, .momentum = 0.9, .epsilon = 1e-5}} {}

  [[nodiscard]] Tensor<Scalar> operator()(const Tensor<Scalar>& x) const { return norm(conv(x)); }

  DDX_DIFFERENTIABLE(NormedConvolution, conv, norm)
};

/// Two convolutions with a shortcut, which has a convolution of 1 by 1 where the extent changes.
template <FloatingScalar Scalar>
struct ProjectedBlock {
  NormedConvolution<Scalar> first;
  NormedConvolution<Scalar> second;
  std::vector<NormedConvolution<Scalar>> projection;  ///< One or none.

  ProjectedBlock(std::int64_t in, std::int64_t out)
      : first(in, out, 3, in == out ? 1 : 2), second(out, out, 3, 1) {
    if (in != out) {
      projection.emplace_back(in, out, 1, 2);
    }
  }

  [[nodiscard]] Tensor<Scalar> operator()(const Tensor<Scalar>& x) const {
    const auto y = second(relu(first(x)));
    if (projection.empty()) {
      return relu(x + y);
    }
    return relu(projection[0](x) + y);
  }

  DDX_DIFFERENTIABLE(ProjectedBlock, first, second, projection)
};

/// The settings of ResNet18.
struct ResNet18Options {
  std::int64_t width = 64;      ///< Channels of the first of four stages; each has twice as many.
  bool large_pictures = false;  ///< Starts with a convolution of 7 by 7 and a pooling.
  std::int64_t classes = 10;
};

/// Source: K. He, X. Zhang, S. Ren, J. Sun, "Deep residual learning for image recognition", CVPR
///         2016, table 1.
template <FloatingScalar Scalar>
struct ResNet18 {
  NormedConvolution<Scalar> stem;
  bool pools = false;
  nn::MaxPool2D<Scalar> pool{
      {.size = {3, 3}, .strides = {2, 2}, .padding = Padding::amounts(1, 1, 1, 1)}};
  std::vector<ProjectedBlock<Scalar>> blocks;
  nn::GlobalAvgPool<Scalar> average{};
  nn::Dense<Scalar> classifier;

  explicit ResNet18(const ResNet18Options& options)
      : stem(3, options.width, options.large_pictures ? 7 : 3, options.large_pictures ? 2 : 1),
        pools(options.large_pictures),
        classifier{{.in = 8 * options.width, .out = options.classes}} {
    std::int64_t in = options.width;
    for (const std::int64_t factor : {1, 2, 4, 8}) {
      blocks.emplace_back(in, factor * options.width);
      blocks.emplace_back(factor * options.width, factor * options.width);
      in = factor * options.width;
    }
  }

  [[nodiscard]] Tensor<Scalar> operator()(const Tensor<Scalar>& images) const {
    auto x = relu(stem(images));
    if (pools) {
      x = pool(x);
    }
    for (const auto& block : blocks) {
      x = block(x);
    }
    return classifier(average(x));
  }

  DDX_DIFFERENTIABLE(ResNet18, stem, pool, blocks, average, classifier)
  DDX_NO_DERIVATIVE(pools)
};

}  // namespace ddx::bench
