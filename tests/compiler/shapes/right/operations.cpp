// Operations whose shapes fit in ways that are easily overlooked: nothing is reported.

#include <array>
#include <cstdint>
#include <ddx/ddx.h>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

using ddx::Tensor;

void broadcasting() {
  (void)(ddx::zeros<float>({3, 1}) + ddx::zeros<float>({1, 4}));
  (void)(ddx::zeros<float>({3, 4}) + ddx::zeros<float>({}));
  (void)(ddx::zeros<float>({0}) + ddx::zeros<float>({1}));
  (void)(ddx::zeros<float>({5, 0, 4}) * ddx::zeros<float>({4}));
  (void)(ddx::zeros<float>({2, 3}) + 1.0F);
  (void)ddx::matmul(ddx::zeros<float>({7, 2, 3}), ddx::zeros<float>({3, 4}));
  (void)ddx::matmul(ddx::zeros<float>({1, 2, 3}), ddx::zeros<float>({6, 3, 4}));
}

void reshaping(const Tensor<float>& x) {
  (void)ddx::reshape(ddx::zeros<float>({2, 3}), {-1, 2});
  (void)ddx::reshape(ddx::zeros<float>({0, 3}), {0, 5});
  (void)ddx::reshape(ddx::zeros<float>({0, 3}), {-1, 4});
  (void)ddx::reshape(x, {x.shape()[0], -1});
  const auto flat = ddx::reshape(ddx::shaped<"n 4 _">(x), {x.shape()[0], -1});
  (void)(flat + ddx::zeros<float>({17}));
  const auto square = ddx::shaped<"n n">(x);
  (void)ddx::matmul(square, square);
}

struct Halves {
  Tensor<float> left;
  Tensor<float> right;
};

Halves halves(const Tensor<float>& x) {
  const std::int64_t half = x.shape()[0] / 2;
  return {.left = ddx::slice(x, {.start = {0}, .stop = {half}}),
          .right = ddx::slice(x, {.start = {half}, .stop = {x.shape()[0]}})};
}

void records() {
  const auto [left, right] = halves(ddx::zeros<float>({8}));
  (void)(left + right);
  auto [a, b] = std::pair(ddx::zeros<float>({2}), ddx::zeros<float>({3}));
  std::tie(a, b) = std::tuple(ddx::zeros<float>({3}), ddx::zeros<float>({2}));
  (void)(a + ddx::zeros<float>({3}));
  std::optional<Tensor<float>> maybe;
  maybe = ddx::zeros<float>({2});
  (void)(*maybe + ddx::zeros<float>({2}));
  const std::array<std::int64_t, 2> extents{3, 4};
  const ddx::Shape shape{std::span<const std::int64_t>(extents)};
  (void)(ddx::zeros<float>(shape) + ddx::zeros<float>({3, 4}));
}

void layers() {
  const ddx::models::LeNet<float> lenet;
  (void)lenet(ddx::zeros<float>({8, 28, 28, 1}));
  const ddx::nn::Dense<float> dense{{.in = 4, .out = 3, .bias = false}};
  (void)dense(ddx::zeros<float>({2, 5, 4}));
  const ddx::nn::Conv2D<float> grouped{
      {.in = 4, .out = 6, .padding = ddx::Padding::Same, .groups = 2}};
  (void)(grouped(ddx::zeros<float>({1, 3, 3, 4})) + ddx::zeros<float>({1, 3, 3, 6}));
}

void training(const std::vector<Tensor<float>>& batches) {
  auto weight = ddx::zeros<float>({4, 3});
  for (const auto& batch : batches) {
    const auto loss = [&](const Tensor<float>& w) { return ddx::sum(ddx::matmul(batch, w)); };
    const auto result = ddx::value_with_gradient(loss, weight);
    weight = weight - 0.1F * result.gradient;
  }
  (void)ddx::matmul(ddx::zeros<float>({2, 4}), weight);
}

template <std::size_t rank>
Tensor<float> joined(const Tensor<float>& x) {
  if constexpr (rank == 4) {
    return ddx::reshape(x, {x.shape()[0], x.shape()[1] * x.shape()[2] * x.shape()[3]});
  } else {
    return x;
  }
}

void templates() {
  (void)(joined<4>(ddx::zeros<float>({2, 3, 4, 5})) + ddx::zeros<float>({60}));
  (void)(joined<2>(ddx::zeros<float>({2, 3})) + ddx::zeros<float>({3}));
}
