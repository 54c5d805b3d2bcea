// Training in 16 bits. The model exists twice: with parameters in f32, which the optimiser changes,
// and in bf16, which computes. The gradient is returned in f32. A factor on the loss keeps small
// gradients from vanishing in f16, and costs nothing in bf16.

#include <cstdint>
#include <cstdio>
#include <ddx/ad.h>
#include <ddx/nn.h>
#include <ddx/tensor.h>
#include <utility>

using ddx::RandomKey;
using ddx::Tensor;
namespace nn = ddx::nn;

template <ddx::FloatingScalar Scalar>
struct Network {
  nn::Dense<Scalar> hidden{
      {.in = 2, .out = 32, .activation = nn::Activation::Tanh, .key = RandomKey(1)}};
  nn::Dense<Scalar> output{{.in = 32, .out = 2, .key = RandomKey(2)}};

  Tensor<Scalar> operator()(const Tensor<Scalar>& x) const { return x | hidden | output; }

  DDX_DIFFERENTIABLE(Network, hidden, output)
};

int main() {
  // Points, and whether each lies in the unit circle.
  const auto x = ddx::random_uniform<float>(RandomKey(3), {512, 2}, {.low = -1.5, .high = 1.5});
  const auto inside = ddx::cast<std::int32_t>(less(sum(square(x), {.axes = {1}}), 1.0F));
  const auto narrow_x = ddx::cast<ddx::BFloat16>(x);

  Network<float> network;
  const Network<ddx::BFloat16> form;  // only its structure is used, not its parameters
  nn::Adam optimizer(network, {.learning_rate = 0.01});
  nn::DynamicLossScale scale;
  for (int step = 0; step <= 300; ++step) {
    auto [loss, scaled_slope] = ddx::value_with_gradient(
        [&](const Network<float>& n) {
          const auto scores = nn::cast_parameters(form, n)(narrow_x);
          return scale.scaled(softmax_cross_entropy(ddx::cast<float>(scores), inside));
        },
        network);
    if (step % 100 == 0) {
      std::printf("step %3d: loss %.4f\n", step, static_cast<double>(loss.item()) / scale.value());
    }
    if (const auto slope = scale.take_unscaled(std::move(scaled_slope))) {
      optimizer.update(network, *slope);
    }
  }

  const auto answers = argmax(nn::cast_parameters(form, network)(narrow_x), 1);
  const float right = mean(ddx::cast<float>(equal(answers, inside))).item();
  std::printf("right in bf16: %.1f %%\n", 100 * static_cast<double>(right));
  return right > 0.97F ? 0 : 1;
}
