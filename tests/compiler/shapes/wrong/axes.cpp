// Axes that do not exist, or are named twice.

#include <ddx/tensor.h>

void reduced() {
  // error: sum: axis 2 is not in [-2, 2); shape [2, 3]
  (void)ddx::sum(ddx::zeros<float>({2, 3}), {.axes = {2}});
}

void twice() {
  // error: mean: axes [1, -1] name axis 1 twice; shape [2, 3]
  (void)ddx::mean(ddx::zeros<float>({2, 3}), {.axes = {1, -1}});
}

void largest() {
  // error: axis 3 is not in [-2, 2); shape [2, 3]
  (void)ddx::argmax(ddx::zeros<float>({2, 3}), 3);
}

void softmax() {
  // error: softmax: axis 1 is not in [-1, 1); shape [4]
  (void)ddx::softmax(ddx::zeros<float>({4}), 1);
}

void cumulative() {
  // error: axis 1 is not in [-1, 1); shape [4]
  (void)ddx::cumulative_sum(ddx::zeros<float>({4}), {.axis = 1});
}

void after_reduction() {
  const auto x = ddx::zeros<float>({2, 3, 4});
  const auto rows = ddx::sum(x, {.axes = {1}});
  // error: add: axis -1: extents 4 and 3 differ; shapes [2, 4] and [2, 3]
  (void)(rows + ddx::zeros<float>({2, 3}));
}
