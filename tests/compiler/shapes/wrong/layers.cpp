// Layers that do not fit together.

#include <ddx/ddx.h>

using ddx::Tensor;

struct Network {
  ddx::nn::Dense<float> first{{.in = 784, .out = 512}};
  ddx::nn::Dense<float> second{{.in = 500, .out = 10}};

  Tensor<float> operator()(const Tensor<float>& x) const {
    // error: matmul: inner extents 512 and 500 differ; shapes [8, 512] and [500, 10]
    return second(first(x));
  }
};

void dense() {
  const Network network;
  const auto images = ddx::zeros<float>({8, 784});
  (void)network(ddx::shaped<"n 784">(images));
}

void tower() {
  const ddx::nn::Conv2D<float> filter{{.in = 1, .out = 6, .kernel = {5, 5}}};
  const ddx::nn::MaxPool2D<float> pool{{.size = {2, 2}}};
  const ddx::nn::Flatten<float> flatten{};
  const ddx::nn::Dense<float> dense{{.in = 800, .out = 10}};
  const auto images = ddx::zeros<float>({4, 28, 28, 1});
  // error: inner extents 864 and 800 differ; shapes [4, 864] and [800, 10]
  (void)(images | filter | pool | flatten | dense);
}

void channels() {
  const ddx::nn::Conv2D<float> filter{{.in = 3, .out = 6}};
  // error: conv2d: channels 1 and 3 differ
  (void)filter(ddx::zeros<float>({4, 28, 28, 1}));
}

void small_image() {
  const ddx::nn::Conv2D<float> filter{{.in = 1, .out = 6, .kernel = {5, 5}}};
  // error: extent 4 with padding 0 is smaller than the window, 5
  (void)filter(ddx::zeros<float>({1, 4, 28, 1}));
}

void no_channels() {
  const ddx::nn::Conv2D<float> filter{{.in = 1, .out = 6}};
  // error: conv2d: ranks 3 and 4 are not both 4
  (void)filter(ddx::zeros<float>({28, 28, 1}));
}

void pooled() {
  const ddx::nn::AvgPool2D<float> pool{{.size = {2, 2}}};
  // error: rank 3 is not 4; shape [4, 28, 28]
  (void)pool(ddx::zeros<float>({4, 28, 28}));
}

void normalised() {
  const ddx::nn::LayerNorm<float> norm{{.features = 16}};
  // error: 8
  (void)norm(ddx::zeros<float>({4, 8}));
}

void model() {
  const ddx::models::LeNet<float> lenet;
  // error: inner extents 576 and 400 differ; shapes [8, 576] and [400, 120]
  (void)lenet(ddx::zeros<float>({8, 32, 32, 1}));
}

void heads() {
  // error: MultiHeadAttention: features is 10, no multiple of heads, which is 3
  (void)ddx::nn::MultiHeadAttention<float>({.features = 10, .heads = 3});
}

void attention_input() {
  const ddx::nn::MultiHeadAttention<float> attention{{.features = 16, .heads = 4}};
  // error: matmul: inner extents 12 and 16 differ; shapes [2, 7, 12] and [16, 16]
  (void)attention(ddx::zeros<float>({2, 7, 12}));
}

void attention_output() {
  const ddx::nn::MultiHeadAttention<float> attention{{.features = 16, .heads = 4}};
  const auto x = ddx::zeros<float>({2, 7, 16});
  // error: add: axis -1: extents 16 and 12 differ
  (void)(attention(x) + ddx::zeros<float>({2, 7, 12}));
}

void equal_parts() {
  // error: split_equally: extent 10 of axis 0 is not made up of 3 equal parts
  (void)ddx::split_equally(ddx::zeros<float>({10, 2}), 3);
}

void outer_product() {
  // error: add: axis -1: extents 4 and 3 differ; shapes [3, 4] and [4, 3]
  (void)(ddx::outer(ddx::zeros<float>({3}), ddx::zeros<float>({4})) + ddx::zeros<float>({4, 3}));
}

void sequence() {
  const ddx::nn::Sequential layers(ddx::nn::Dense<float>({.in = 8, .out = 3}),
                                   ddx::nn::Dense<float>({.in = 4, .out = 2}));
  // error: matmul: inner extents 3 and 4 differ; shapes [5, 3] and [4, 2]
  (void)layers(ddx::zeros<float>({5, 8}));
}
