// A gradient penalty: a critic learns to tell two sets of points apart, while its slopes by the
// points between them are held near 1. The gradient by the points is part of the loss. Source: I.
// Gulrajani et al., "Improved training of Wasserstein GANs", NeurIPS 2017.

#include <cmath>
#include <cstdio>
#include <ddx/ddx.h>

using Tensor = ddx::Tensor<double>;

/// scale sin(seed + 0.7 i) for the elements i, in place of random numbers.
Tensor pattern(const ddx::Shape& shape, double seed, double scale = 1) {
  const Tensor places = ddx::iota<double>(shape.count());
  return ddx::reshape(ddx::sin(places * 0.7 + seed) * scale, shape);
}

struct Critic {
  Tensor hidden = pattern({2, 8}, 1, 0.8);
  Tensor hidden_bias = pattern({8}, 2, 0.3);
  Tensor output = pattern({8, 1}, 3, 0.5);
  Tensor output_bias = pattern({1}, 4, 0.1);

  Tensor operator()(const Tensor& points) const {
    return ddx::matmul(ddx::tanh(ddx::matmul(points, hidden) + hidden_bias), output) + output_bias;
  }
  DDX_DIFFERENTIABLE(Critic, hidden, hidden_bias, output, output_bias)
};

Tensor loss(const Critic& critic, const Tensor& real, const Tensor& generated,
            const Tensor& between) {
  const auto total = [&critic](const Tensor& points) { return ddx::sum(critic(points)); };
  const Tensor slopes = ddx::norm(ddx::gradient(total, between), {.axes = {1}});
  return ddx::mean(critic(generated)) - ddx::mean(critic(real)) +
         10.0 * ddx::mean(ddx::square(slopes - 1.0));
}

int main() {
  const Tensor real = pattern({16, 2}, 0.4) + 1.0;
  const Tensor generated = pattern({16, 2}, 0.9, 0.5);
  const Tensor share = pattern({16, 1}, 0.1) * 0.5 + 0.5;
  const Tensor between = share * real + (1.0 - share) * generated;

  Critic critic;
  const auto of_critic = [&](const Critic& c) { return loss(c, real, generated, between); };
  const double first = of_critic(critic).item();
  ddx::nn::SGD<Critic> descent(critic, {.learning_rate = 0.01});
  for (int step = 0; step < 100; ++step) {
    descent.update(critic, ddx::gradient(of_critic, critic));
  }
  const double last = of_critic(critic).item();
  std::printf("loss %.12f, after 100 steps %.12f\n", first, last);
  // From the same program in JAX, examples/record_second_order.py.
  const bool right =
      std::abs(first - 3.82759732301073) < 1e-9 && std::abs(last + 0.382456545234911) < 1e-9;
  return right ? 0 : 1;
}
