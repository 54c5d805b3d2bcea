// Products of matrices whose extents differ.

#include <ddx/tensor.h>

void inner() {
  const auto x = ddx::zeros<float>({32, 784});
  const auto weight = ddx::zeros<float>({512, 10});
  // error: matmul: inner extents 784 and 512 differ; shapes [32, 784] and [512, 10]
  (void)ddx::matmul(x, weight);
}

void transposed() {
  const auto a = ddx::zeros<float>({3, 4});
  const auto b = ddx::zeros<float>({4, 5});
  // error: inner extents 4 and 5 differ; shapes [3, 4] and [4, 5] transposed
  (void)ddx::matmul(a, b, {.transpose_right = true});
}

void vector() {
  // error: ranks 1 and 2 are not both at least 2
  (void)ddx::matmul(ddx::zeros<float>({3}), ddx::zeros<float>({3, 2}));
}

void stacks() {
  const auto a = ddx::zeros<float>({2, 3, 4});
  const auto b = ddx::zeros<float>({5, 4, 3});
  // error: matmul: leading extents 2 and 5 differ
  (void)ddx::matmul(a, b);
}

ddx::Tensor<float> twice(const ddx::Tensor<float>& x, std::int64_t width) {
  const auto weight = ddx::zeros<float>({width, width});
  // error: inner extents 6 and 7 differ; shapes [2, 6] and [7, 7]
  return ddx::matmul(ddx::matmul(x, weight), weight);
}

void called() {
  (void)twice(ddx::zeros<float>({2, 6}), 7);
}
