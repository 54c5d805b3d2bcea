// A physics-informed network. It learns the solution u(t, x) of the Burgers equation
// u_t + u u_x = nu u_xx from the equation itself: the loss contains first and second derivatives of
// the network by its inputs, and is differentiated by the parameters.
// Source: M. Raissi, P. Perdikaris, G. E. Karniadakis, "Physics-informed neural networks", J.
// Comput. Phys. 378, 2019.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ddx/ddx.h>
#include <numbers>

using Tensor = ddx::Tensor<double>;

/// scale sin(seed + 0.7 i) for the elements i, in place of random numbers.
Tensor pattern(const ddx::Shape& shape, double seed, double scale = 1) {
  const Tensor places = ddx::iota<double>(shape.count());
  return ddx::reshape(ddx::sin(places * 0.7 + seed) * scale, shape);
}

struct Network {
  Tensor hidden = pattern({2, 12}, 1, 0.8);
  Tensor hidden_bias = pattern({12}, 2, 0.3);
  Tensor output = pattern({12, 1}, 3, 0.5);
  Tensor output_bias = pattern({1}, 4, 0.1);

  /// u at points (t, x).
  Tensor operator()(const Tensor& points) const {
    return ddx::matmul(ddx::tanh(ddx::matmul(points, hidden) + hidden_bias), output) + output_bias;
  }
  DDX_DIFFERENTIABLE(Network, hidden, hidden_bias, output, output_bias)
};

Tensor column(const Tensor& x, std::int64_t i) {
  return ddx::slice(x, {.start = {0, i}, .stop = {x.shape()[0], i + 1}});
}

/// Points with one coordinate for all, and the other from `values`.
Tensor points_at(const Tensor& t, const Tensor& x) {
  return ddx::stack(std::vector<Tensor>{t, x}, 1);
}

struct Points {
  Tensor inside = points_at(pattern({24}, 0.3) * 0.5 + 0.5, pattern({24}, 1.1));
  Tensor start = points_at(ddx::zeros<double>({16}), pattern({16}, 0.7));
  Tensor left = points_at(pattern({8}, 0.2) * 0.5 + 0.5, -ddx::ones<double>({8}));
  Tensor right = points_at(pattern({8}, 0.2) * 0.5 + 0.5, ddx::ones<double>({8}));
};

/// The residual u_t + u u_x - nu u_xx of the equation at the points.
Tensor residual(const Network& u, const Tensor& points) {
  const double nu = 0.01 / std::numbers::pi;
  const auto total = [&u](const Tensor& p) { return ddx::sum(u(p)); };
  const auto total_by_x = [&total](const Tensor& p) {
    return ddx::sum(column(ddx::gradient(total, p), 1));
  };
  const Tensor first = ddx::gradient(total, points);
  const Tensor second = ddx::gradient(total_by_x, points);
  return column(first, 0) + u(points) * column(first, 1) - nu * column(second, 1);
}

Tensor loss(const Network& u, const Points& points) {
  const Tensor start = u(points.start) + ddx::sin(column(points.start, 1) * std::numbers::pi);
  return ddx::mean(ddx::square(residual(u, points.inside))) + ddx::mean(ddx::square(start)) +
         ddx::mean(ddx::square(u(points.left))) + ddx::mean(ddx::square(u(points.right)));
}

int main() {
  Network network;
  const Points points;
  const auto of_network = [&points](const Network& u) { return loss(u, points); };
  const double first = of_network(network).item();
  ddx::nn::SGD<Network> descent(network, {.learning_rate = 0.05});
  for (int step = 0; step < 200; ++step) {
    descent.update(network, ddx::gradient(of_network, network));
  }
  const double last = of_network(network).item();
  std::printf("loss %.12f, after 200 steps %.12f\n", first, last);
  // From the same program in JAX, examples/record_second_order.py.
  const bool right =
      std::abs(first - 15.6676127344753) < 1e-9 * 15 && std::abs(last - 0.34176742446392) < 1e-9;
  return right ? 0 : 1;
}
