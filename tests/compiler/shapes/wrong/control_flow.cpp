// Operations that fail in loops, branches and closures, and through objects that are changed.

#include <ddx/tensor.h>
#include <utility>
#include <vector>

using ddx::Tensor;

void loop(int n) {
  const auto x = ddx::zeros<float>({2, 3});
  const auto y = ddx::zeros<float>({2, 4});
  for (int i = 0; i < n; ++i) {
    // error: extents 3 and 4 differ
    (void)(x + y);
  }
}

void batches() {
  const std::vector<float> data(100);
  const auto weight = ddx::zeros<float>({5, 4});
  for (const float value : data) {
    const auto batch = ddx::full<float>({8, 6}, value);
    // error: matmul: inner extents 6 and 5 differ
    (void)ddx::matmul(batch, weight);
  }
}

void started_loop() {
  loop(1);
}

void list() {
  std::vector<Tensor<float>> parts;
  parts.push_back(ddx::zeros<float>({2, 3}));
  parts.push_back(ddx::zeros<float>({3, 3}));
  // error: stack: parts differ in shape; shapes [2, 3] and [3, 3]
  (void)ddx::stack(parts);
}

void exchanged() {
  auto a = ddx::zeros<float>({2, 3});
  auto b = ddx::zeros<float>({3, 5});
  std::swap(a, b);
  // error: inner extents 5 and 2 differ; shapes [3, 5] and [2, 3]
  (void)ddx::matmul(a, b);
}

void captured() {
  auto a = ddx::zeros<float>({2});
  const auto grow = [&a] { a = ddx::zeros<float>({3}); };
  grow();
  // error: extents 3 and 2 differ; shapes [3] and [2]
  (void)(a + ddx::zeros<float>({2}));
}

void moved() {
  auto a = ddx::zeros<float>({2});
  const auto b = std::move(a);
  // error: extents 2 and 3 differ; shapes [2] and [3]
  (void)(b + ddx::zeros<float>({3}));
}

template <std::size_t rank>
Tensor<float> square(std::int64_t extent) {
  if constexpr (rank == 1) {
    return ddx::zeros<float>({extent});
  } else {
    return ddx::zeros<float>({extent, extent});
  }
}

void templates() {
  // error: extents 3 and 4 differ; shapes [3] and [4, 4]
  (void)(square<1>(3) + square<2>(4));
}

void known_test() {
  const auto x = ddx::zeros<float>({2, 3});
  if (x.rank() == 2) {
    // error: shape [2, 3] has 6 elements and cannot become [7]
    (void)ddx::reshape(x, {7});
  }
}

void claimed() {
  // error: shaped: shape [2, 3] is not [n, n]
  (void)ddx::shaped<"n n">(ddx::zeros<float>({2, 3}));
}
