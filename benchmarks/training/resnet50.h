/// \file
/// ResNet-50.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/dtype.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/global_pool.h"
#include "ddx/nn/layers/pooling.h"
#include "ddx/tensor.h"

#include "resnet18.h"

#include <cstdint>
#include <vector>

namespace ddx::bench {

/// Three convolutions, of which the middle one has a quarter of the channels and the stride, with a
/// shortcut; that has a convolution of 1 by 1 where the extent changes.
template <FloatingScalar Scalar>
struct BottleneckBlock {
  NormedConvolution<Scalar> first;
  NormedConvolution<Scalar> second;
  NormedConvolution<Scalar> third;
  std::vector<NormedConvolution<Scalar>> projection;  ///< One or none.

  BottleneckBlock(std::int64_t in, std::int64_t width, std::int64_t stride)
      : first(in, width, 1, 1), second(width, width, 3, stride), third(width, 4 * width, 1, 1) {
    if (in != 4 * width) {
      projection.emplace_back(in, 4 * width, 1, stride);
    }
  }

  [[nodiscard]] Tensor<Scalar> operator()(const Tensor<Scalar>& x) const {
    const auto y = third(relu(second(relu(first(x)))));
    if (projection.empty()) {
      return relu(x + y);
    }
    return relu(projection[0](x) + y);
  }

  DDX_DIFFERENTIABLE(BottleneckBlock, first, second, third, projection)
};

/// The network of torchvision, with 25,557,032 parameters.
///
/// Source: K. He, X. Zhang, S. Ren, J. Sun, "Deep residual learning for image recognition", CVPR
///         2016, table 1; the stride is in the convolution of 3 by 3, as in torchvision.
template <FloatingScalar Scalar>
struct ResNet50 {
  NormedConvolution<Scalar> stem{3, 64, 7, 2};
  nn::MaxPool2D<Scalar> pool{
      {.size = {3, 3}, .strides = {2, 2}, .padding = Padding::amounts(1, 1, 1, 1)}};
  std::vector<BottleneckBlock<Scalar>> blocks;
  nn::GlobalAvgPool<Scalar> average{};
  nn::Dense<Scalar> classifier{{.in = 2048, .out = 1000}};

  ResNet50() {
    std::int64_t in = 64;
    std::int64_t width = 64;
    for (const int depth : {3, 4, 6, 3}) {
      for (int i = 0; i < depth; ++i) {
        blocks.emplace_back(in, width, i == 0 && width > 64 ? 2 : 1);
        in = 4 * width;
      }
      width *= 2;
    }
  }

  [[nodiscard]] Tensor<Scalar> operator()(const Tensor<Scalar>& images) const {
    auto x = pool(relu(stem(images)));
    for (const auto& block : blocks) {
      x = block(x);
    }
    return classifier(average(x));
  }

  DDX_DIFFERENTIABLE(ResNet50, stem, pool, blocks, average, classifier)
};

}  // namespace ddx::bench
