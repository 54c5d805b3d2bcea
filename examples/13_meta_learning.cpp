// Meta-learning of sinusoids: parameters from which one step of gradient descent leads to a good
// fit of any of several curves. The step is part of what is differentiated. Source: C. Finn, P.
// Abbeel, S. Levine, "Model-agnostic meta-learning", ICML 2017.

#include <cmath>
#include <cstdio>
#include <ddx/ddx.h>

using Tensor = ddx::Tensor<double>;

/// scale sin(seed + 0.7 i) for the elements i, in place of random numbers.
Tensor pattern(const ddx::Shape& shape, double seed, double scale = 1) {
  const Tensor places = ddx::iota<double>(shape.count());
  return ddx::reshape(ddx::sin(places * 0.7 + seed) * scale, shape);
}

struct Network {
  Tensor hidden = pattern({1, 10}, 1, 0.8);
  Tensor hidden_bias = pattern({10}, 2, 0.3);
  Tensor output = pattern({10, 1}, 3, 0.5);
  Tensor output_bias = pattern({1}, 4, 0.1);

  Tensor operator()(const Tensor& x) const {
    return ddx::matmul(ddx::tanh(ddx::matmul(x, hidden) + hidden_bias), output) + output_bias;
  }
  DDX_DIFFERENTIABLE(Network, hidden, hidden_bias, output, output_bias)
};

/// A curve to fit: amplitude sin(x + phase).
struct Task {
  double amplitude;
  double phase;
};

Tensor error(const Network& network, const Tensor& x, const Task& task) {
  return ddx::mean(ddx::square(network(x) - task.amplitude * ddx::sin(x + task.phase)));
}

/// The network after a step towards the task.
Network adapted(const Network& network, const Tensor& x, const Task& task) {
  const auto slope =
      ddx::gradient([&](const Network& moved) { return error(moved, x, task); }, network);
  Network result = network;
  result.hidden -= 0.02 * slope.hidden;
  result.hidden_bias -= 0.02 * slope.hidden_bias;
  result.output -= 0.02 * slope.output;
  result.output_bias -= 0.02 * slope.output_bias;
  return result;
}

/// The mean error after the step, at other points than the step has seen.
Tensor error_after_step(const Network& network) {
  const Tensor seen = pattern({10, 1}, 0.5, 5);
  const Tensor asked = pattern({10, 1}, 1.5, 5);
  Tensor total = ddx::zeros<double>({});
  for (int i = 0; i < 4; ++i) {
    const Task task{1 + 0.5 * i, 0.4 * i};
    total += error(adapted(network, seen, task), asked, task);
  }
  return total / 4.0;
}

int main() {
  Network network;
  const double first = error_after_step(network).item();
  ddx::nn::SGD<Network> descent(network, {.learning_rate = 0.01});
  for (int step = 0; step < 50; ++step) {
    descent.update(network, ddx::gradient(error_after_step, network));
  }
  const double last = error_after_step(network).item();
  std::printf("error %.12f, after 50 steps %.12f\n", first, last);
  // From the same program in JAX, examples/record_second_order.py.
  const bool right =
      std::abs(first - 2.25437357785621) < 1e-9 && std::abs(last - 1.57394294006124) < 1e-9;
  return right ? 0 : 1;
}
