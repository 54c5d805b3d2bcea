// RUN-FLAGS: -fplugin-arg-ddx-print-shapes
// The shapes of variables and calls, in the order of the text; of a function, what those
// of its calls that are known have in common.

#include <ddx/models.h>
#include <ddx/tensor.h>

ddx::Tensor<float> doubled(const ddx::Tensor<float>& x) {
  const auto y = 2.0F * x;
  return y;
}

// CHECK: shapes.cpp:[[#@LINE-4]]:14: shape: y: [?, 4]
// CHECK: shapes.cpp:[[#@LINE+2]]:14: shape: images: [8, 28, 28, 1]
void use() {
  const auto images = ddx::zeros<float>({8, 28, 28, 1});
  const ddx::models::LeNet<float> lenet;
  // CHECK: shapes.cpp:[[#@LINE+1]]:14: shape: scores: [8, 10]
  const auto scores = lenet(images);
  (void)doubled(ddx::zeros<float>({2, 4}));
  (void)doubled(ddx::zeros<float>({3, 4}));
}
// CHECK: lenet.h:{{.*}}: shape: conv1: [8, 28, 28, 6]
// CHECK: lenet.h:{{.*}}: shape: flatten: [8, 400]
