// Elementwise operations whose operands do not broadcast.

#include <ddx/tensor.h>

using ddx::Tensor;

void sum() {
  const Tensor<float> a = ddx::zeros<float>({2, 3});
  const Tensor<float> b = ddx::zeros<float>({2, 4});
  // error: add: axis -1: extents 3 and 4 differ; shapes [2, 3] and [2, 4]
  (void)(a + b);
}

void product_with_row() {
  const auto a = ddx::ones<double>({5, 4});
  const auto row = ddx::ones<double>({5});
  // error: mul: axis -1: extents 4 and 5 differ; shapes [5, 4] and [5]
  (void)(a * row);
}

void in_place() {
  auto a = ddx::zeros<float>({3});
  // error: axis -1: extents 3 and 2 differ; shapes [3] and [2]
  a -= ddx::zeros<float>({2});
}

void larger() {
  const auto a = ddx::zeros<float>({3, 1, 2});
  const auto b = ddx::zeros<float>({4, 5, 3});
  // error: maximum: axis -1: extents 2 and 3 differ; shapes [3, 1, 2] and [4, 5, 3]
  (void)ddx::maximum(a, b);
}

void chosen() {
  const auto condition = ddx::zeros<bool>({2, 2});
  const auto a = ddx::zeros<float>({2, 2});
  const auto b = ddx::zeros<float>({3, 2});
  // error: select: axis -2: extents 2 and 3 differ
  (void)ddx::select(condition, a, b);
}

void compared() {
  // error: extents 2 and 3 differ
  (void)ddx::less(ddx::zeros<float>({2}), ddx::zeros<float>({3}));
}
