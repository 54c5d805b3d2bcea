/// \file
/// LeNet-5.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/core/dtype.h"
#include "ddx/nn/activation.h"
#include "ddx/nn/layers/convolution.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/flatten.h"
#include "ddx/nn/layers/pooling.h"
#include "ddx/nn/pipe.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/tensor.h"

namespace ddx::models {

/// The convolutional network for digits: two convolutions with pooling, three dense layers.
///
/// Shapes:  images [n, 28, 28, 1] -> [n, 10], one score per class
/// Source:  Y. LeCun, L. Bottou, Y. Bengio, P. Haffner, "Gradient-based learning applied to
///          document recognition", Proceedings of the IEEE 86 (1998); with rectifiers for sigmoids.
template <FloatingScalar Scalar>
struct LeNet {
  nn::Conv2D<Scalar> conv1{{.in = 1,
                            .out = 6,
                            .kernel = {5, 5},
                            .padding = Padding::Same,
                            .activation = nn::Activation::ReLU}};
  nn::AvgPool2D<Scalar> pool1{{.size = {2, 2}}};
  nn::Conv2D<Scalar> conv2{
      {.in = 6, .out = 16, .kernel = {5, 5}, .activation = nn::Activation::ReLU}};
  nn::AvgPool2D<Scalar> pool2{{.size = {2, 2}}};
  nn::Flatten<Scalar> flatten{};
  nn::Dense<Scalar> dense1{{.in = 400, .out = 120, .activation = nn::Activation::ReLU}};
  nn::Dense<Scalar> dense2{{.in = 120, .out = 84, .activation = nn::Activation::ReLU}};
  nn::Dense<Scalar> classifier{{.in = 84, .out = 10}};

  /// Shapes:  images [n, 28, 28, 1] -> [n, 10]
  /// Throws:  UsageError where the images have other extents.
  [[nodiscard]] Tensor<Scalar> operator()(const Tensor<Scalar>& images) const {
    return images | conv1 | pool1 | conv2 | pool2 | flatten | dense1 | dense2 | classifier;
  }

  DDX_DIFFERENTIABLE(LeNet, conv1, pool1, conv2, pool2, flatten, dense1, dense2, classifier)
};

}  // namespace ddx::models
