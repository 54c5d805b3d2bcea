// Operations that move elements to shapes that do not fit.

#include <ddx/tensor.h>

void count() {
  // error: reshape: shape [2, 3] has 6 elements and cannot become [4, 2]
  (void)ddx::reshape(ddx::zeros<float>({2, 3}), {4, 2});
}

void remainder() {
  // error: reshape: shape [2, 3] has 6 elements and cannot become [4, -1]
  (void)ddx::reshape(ddx::zeros<float>({2, 3}), {4, -1});
}

void order_length() {
  // error: transpose: order [0, 2, 1] has 3 values, not one per axis; shape [2, 3]
  (void)ddx::transpose(ddx::zeros<float>({2, 3}), {0, 2, 1});
}

void order_twice() {
  // error: transpose: order [1, 1] names axis 1 twice; shape [2, 3]
  (void)ddx::transpose(ddx::zeros<float>({2, 3}), {1, 1});
}

void concatenated() {
  const auto a = ddx::zeros<float>({2, 3});
  const auto b = ddx::zeros<float>({2, 4});
  // error: concatenate: parts differ beyond axis 0; shapes [2, 3] and [2, 4]
  (void)ddx::concatenate<float>({a, b}, 0);
}

void stacked() {
  const auto a = ddx::zeros<float>({2, 3});
  const auto b = ddx::zeros<float>({3, 2});
  // error: stack: parts differ in shape; shapes [2, 3] and [3, 2]
  (void)ddx::stack<float>({a, b});
}

void sliced() {
  // error: slice: start [1] has 1 values, not one per axis; shape [2, 3]
  (void)ddx::slice(ddx::zeros<float>({2, 3}), {.start = {1}});
}

void slice_used() {
  const auto x = ddx::zeros<float>({10, 8});
  const auto part = ddx::slice(x, {.start = {2, 0}, .stop = {6, 8}});
  // error: extents 4 and 5 differ; shapes [4, 8] and [5, 8]
  (void)(part + ddx::zeros<float>({5, 8}));
}

void broadcast() {
  // error: broadcast_to: shape [3] does not stretch to [2, 4]
  (void)ddx::broadcast_to(ddx::zeros<float>({3}), {2, 4});
}

void split() {
  // error: split: the sizes sum to 7, not to the extent of axis 0; shape [10]
  (void)ddx::split(ddx::zeros<float>({10}), {3, 4});
}

void element() {
  const auto x = ddx::zeros<float>({2, 3});
  // error: element: position [2, 0] lies outside on axis 0; shape [2, 3]
  (void)x[{2, 0}];
}

void element_rank() {
  const auto x = ddx::zeros<float>({2, 3});
  // error: element: position [1] has not one value per axis; shape [2, 3]
  (void)x[{1}];
}

void single() {
  // error: item: there are 2 elements, not 1; shape [2]
  (void)ddx::zeros<float>({2}).item();
}

void values() {
  // error: tensor: 3 values do not fill shape [2, 2] of 4 elements
  (void)ddx::Tensor<float>({2, 2}, {1, 2, 3});
}

void gathered() {
  const auto x = ddx::zeros<float>({5, 8});
  const auto rows = ddx::zeros<std::int32_t>({3});
  // error: inner extents 8 and 5 differ; shapes [3, 8] and [5, 8]
  (void)ddx::matmul(ddx::gather(x, rows, 0), x);
}
