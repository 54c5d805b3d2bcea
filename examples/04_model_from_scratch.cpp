// A model made of structs and tensors only: two spirals wind around each other, and a network of
// two layers learns which of them a point belongs to. The gradient is a struct with the model's
// member names, so the training step is written out.

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ddx/ad.h>
#include <ddx/tensor.h>
#include <span>
#include <vector>

using ddx::RandomKey;
using ddx::Tensor;

struct Layer {
  Tensor<float> weight;  // [in, out]
  Tensor<float> bias;    // [out]

  Tensor<float> operator()(const Tensor<float>& x) const { return matmul(x, weight) + bias; }

  DDX_DIFFERENTIABLE(Layer, weight, bias)
};

struct Network {
  Layer hidden;
  Layer output;
  float sharpness = 1;  // a number among tensors: how steep the bends of the hidden layer are

  Tensor<float> operator()(const Tensor<float>& x) const {
    return output(tanh(hidden(x) * sharpness));
  }

  DDX_DIFFERENTIABLE(Network, hidden, output, sharpness)
};

struct Points {
  Tensor<float> places;         // [n, 2]
  Tensor<std::int32_t> spiral;  // [n], 0 or 1
};

/// Points along both spirals, one full turn each.
Points draw_spirals(int count) {
  std::vector<float> places;
  std::vector<std::int32_t> spiral;
  for (int i = 0; i < count; ++i) {
    const float part = static_cast<float>(i) / static_cast<float>(count);
    const int which = i % 2;
    const float radius = 0.3F + 2.7F * part;
    const float angle = 6.2831853F * part + 3.1415927F * static_cast<float>(which);
    places.push_back(radius * std::cos(angle));
    places.push_back(radius * std::sin(angle));
    spiral.push_back(which);
  }
  return {Tensor<float>({count, 2}, std::span<const float>(places)),
          Tensor<std::int32_t>({count}, std::span<const std::int32_t>(spiral))};
}

Layer draw_layer(std::int64_t in, std::int64_t out, RandomKey key) {
  const double bound = std::sqrt(6.0 / static_cast<double>(in + out));
  return {ddx::random_uniform<float>(key, {in, out}, {.low = -bound, .high = bound}),
          ddx::zeros<float>({out})};
}

int main() {
  const Points points = draw_spirals(400);
  const auto [hidden_key, output_key] = RandomKey(1).split();
  Network network{draw_layer(2, 32, hidden_key), draw_layer(32, 2, output_key)};

  const float rate = 0.3F;
  for (int step = 0; step <= 1000; ++step) {
    const auto [loss, slope] = ddx::value_with_gradient(
        [&](const Network& n) { return softmax_cross_entropy(n(points.places), points.spiral); },
        network);
    if (step % 100 == 0) {
      std::printf("step %4d: loss %.4f, sharpness %.3f\n", step, static_cast<double>(loss.item()),
                  static_cast<double>(network.sharpness));
    }
    network.hidden.weight -= slope.hidden.weight * rate;
    network.hidden.bias -= slope.hidden.bias * rate;
    network.output.weight -= slope.output.weight * rate;
    network.output.bias -= slope.output.bias * rate;
    network.sharpness -= slope.sharpness * rate;
  }

  const auto answers = argmax(network(points.places), 1);
  const float right = mean(ddx::cast<float>(equal(answers, points.spiral))).item();
  std::printf("right: %.1f %% of %lld points\n", 100 * static_cast<double>(right),
              static_cast<long long>(points.spiral.count()));
  return right > 0.98F ? 0 : 1;
}
