// The program of docs/guide/static_shapes.md; see first_gradient.cpp.

#include "ddx/ddx.h"

#include "expect.h"

namespace {

using ddx::testing::expect_close;

// [classifier]
struct Classifier {
  ddx::nn::Dense<float> hidden{{.in = 784, .out = 512}};
  ddx::nn::Dense<float> output{{.in = 512, .out = 10}};

  ddx::Tensor<float> operator()(const ddx::Tensor<float>& images) const {
    return output(hidden(images));
  }
};
// [/classifier]

// [shaped]
ddx::Tensor<float> scores(const Classifier& classifier, const ddx::Tensor<float>& batch) {
  const auto images = ddx::shaped<"n 28 28">(batch);
  return classifier(ddx::reshape(images, {images.shape()[0], -1}));
}
// [/shaped]

}  // namespace

int main() {
  const Classifier classifier;
  const auto y = scores(classifier, ddx::zeros<float>({3, 28, 28}));
  expect_close("rows", static_cast<double>(y.shape()[0]), 3);
  expect_close("classes", static_cast<double>(y.shape()[1]), 10);
  const auto square = [](const ddx::Tensor<float>& x) {
    return ddx::sum(ddx::square(ddx::shaped<"n">(x)));
  };
  expect_close("gradient", ddx::gradient(square, ddx::Tensor<float>{3, 4})[{1}], 8);
}
