// The programs of docs/guide/higher_derivatives.md. The regions between [name] and [/name] are
// shown there, word for word; the expectations are worked out by hand in the comments beside them.

#include "ddx/ddx.h"

#include "expect.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace {

using ddx::testing::expect_close;

// [bowl]
double bowl(const std::vector<double>& x) {
  return x[0] * x[0] * x[1] + std::exp(x[1]);
}
// [/bowl]

void forward() {
  const std::vector<double> x{3.0, 0.0};
  // [forward]
  std::vector<double> v{1.0, -2.0};
  auto [value, slope] = ddx::jvp(bowl, ddx::along(v), x);
  // [/forward]
  expect_close("forward: value", value, 1);             // 9 * 0 + e^0
  expect_close("forward: slope", slope, -2 * (9 + 1));  // 2 x y v0 + (x^2 + e^y) v1
}

void map() {
  const std::vector<double> x{3.0, 0.0};
  // [map]
  auto df = ddx::differential(bowl, x);  // may be called many times
  double first = df({1.0, 0.0}), second = df({0.0, 1.0});
  // [/map]
  expect_close("map: first", first, 0);
  expect_close("map: second", second, 10);
}

void second() {
  const std::vector<double> x{3.0, 0.0};
  // [second]
  auto h = ddx::hessian(bowl, x);                          // h(row, column)
  std::vector<double> hv = ddx::hvp(bowl, x, {1.0, 1.0});  // without the matrix
  // [/second]
  // 2 y, 2 x; 2 x, e^y
  expect_close("second: h00", h(0, 0), 0);
  expect_close("second: h01", h(0, 1), 6);
  expect_close("second: h11", h(1, 1), 1);
  expect_close("second: hv", hv[1], 7);
}

struct Network {
  ddx::nn::Dense<double> layer{{.in = 2, .out = 1}};

  ddx::Tensor<double> operator()(const ddx::Tensor<double>& x) const { return layer(x); }
  DDX_DIFFERENTIABLE(Network, layer)
};

// [penalty]
ddx::Tensor<double> penalty(const Network& network, const ddx::Tensor<double>& points) {
  const auto total = [&network](const ddx::Tensor<double>& x) { return ddx::sum(network(x)); };
  const auto slopes = ddx::gradient(total, points);
  return ddx::mean(ddx::square(ddx::norm(slopes, {.axes = {1}}) - 1.0));
}
// [/penalty]

void model() {
  Network network;
  network.layer.weight = ddx::Tensor<double>{{1}, {2}};
  const ddx::Tensor<double> points{{1, 0}, {0, 1}};
  // [model]
  const auto loss = [&](const Network& moved) { return ddx::mean(ddx::square(moved(points))); };
  const auto slope = ddx::gradient(loss, network);
  const auto product = ddx::hvp(loss, network, slope);  // a struct with the members of a Network
  // [/model]
  // The values are 1 and 2, so the slope is 1, 2 and 3 for the bias; along it they change by 4, 5.
  expect_close("model: slope", slope.layer.bias[{0}], 3);
  expect_close("model: product, weight", product.layer.weight[{1, 0}], 5);
  expect_close("model: product, bias", product.layer.bias[{0}], 9);
  // The slopes are the weight w, of length sqrt 5: 2 (|w| - 1) w / |w|.
  const auto by_network =
      ddx::gradient([&](const Network& moved) { return penalty(moved, points); }, network);
  expect_close("penalty", by_network.layer.weight[{1, 0}], 4 * (1 - 1 / std::sqrt(5.0)));
  // [tensor_matrices]
  ddx::Tensor<double> t{1, 2, 3};
  const auto cubes = [](const ddx::Tensor<double>& x) { return ddx::sum(x * x * x); };
  auto h = ddx::hessian(cubes, t);  // [3, 3]
  // [/tensor_matrices]
  expect_close("hessian of a tensor", h[{1, 1}], 12);
  expect_close("hessian of a tensor, aside", h[{1, 2}], 0);
}

void matrix() {
  // [matrix]
  auto polar = [](const std::array<double, 2>& p) {
    return std::array{p[0] * std::cos(p[1]), p[0] * std::sin(p[1])};
  };
  auto j = ddx::jacobian(polar, std::array{2.0, 0.0});
  // [/matrix]
  expect_close("matrix: j00", j(0, 0), 1);
  expect_close("matrix: j11", j(1, 1), 2);
}

// [inside]
double after_a_step(const std::vector<double>& start, double rate) {
  std::vector<double> g = ddx::gradient(bowl, start);
  std::vector<double> x = start;
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] -= rate * g[i];
  }
  return bowl(x);
}
// [/inside]

void inside() {
  const std::vector<double> start{3.0, 0.0};
  // [inside_call]
  double by_rate = ddx::gradient(after_a_step, ddx::wrt<1>, start, 0.1);
  // [/inside_call]
  // g = (0, 10), x = (3, -10 r): f = -90 r + e^(-10 r)
  expect_close("inside", by_rate, -90 - 10 * std::exp(-1.0));
}

// [checkpointed]
std::vector<double> hundred_steps(std::vector<double> state) {
  for (int k = 0; k < 100; ++k) {
    for (double& s : state) {
      s += 0.01 * std::sin(s);
    }
  }
  return state;
}

double simulate(const std::vector<double>& start) {
  std::vector<double> state = start;
  for (int segment = 0; segment < 50; ++segment) {
    state = ddx::checkpointed(hundred_steps, state);
  }
  return state[0];
}
// [/checkpointed]

void segments() {
  const double at_rest = ddx::gradient(simulate, std::vector{0.0})[0];
  expect_close("checkpointed", at_rest / std::pow(1.01, 5000), 1);  // s = 0 stays: d = 1.01^5000
}

// [loop]
double simulate_long(const std::vector<double>& start) {
  const std::vector<double> last = ddx::checkpointed_loop(
      5000, 12, start, [](const std::vector<double>& state, std::size_t /*step*/) {
        std::vector<double> next = state;
        for (double& s : next) {
          s += 0.01 * std::sin(s);
        }
        return next;
      });
  return last[0];
}
// [/loop]

void long_loop() {
  const double at_rest = ddx::gradient(simulate_long, std::vector{0.0})[0];
  expect_close("loop", at_rest / std::pow(1.01, 5000), 1);
}

// [clip]
double clipped(double x) {
  for (int k = 0; k < 3; ++k) {
    x = ddx::with_derivative(x * x, [](double dx) { return std::min(dx, 10.0); });
  }
  return x;
}
// [/clip]

void clip() {
  // Back from 256 = 2^8: 1, then 2 * 16 clipped to 10, then 10 * 2 * 4 clipped to 10, then 2 * 2.
  expect_close("clip", ddx::gradient(clipped, 2.0), 40);
}

// [value]
using Activation = ddx::differentiable<double(double)>;

double two_layers(double x, const std::vector<Activation>& layers) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Activation layer = layers[i];
    x = layer(2 * x);
  }
  return x;
}
// [/value]

void functions() {
  const std::vector<Activation> layers = {[](double a) { return a * a; },
                                          [](double a) { return std::sin(a); }};
  const double slope = ddx::gradient(two_layers, ddx::wrt<0>, 0.5, layers);
  expect_close("value", slope, std::cos(2.0) * 2 * 8 * 0.5);  // sin(2 (2 x)^2)
}

}  // namespace

int main() {
  forward();
  map();
  second();
  model();
  matrix();
  inside();
  segments();
  long_loop();
  clip();
  functions();
}
