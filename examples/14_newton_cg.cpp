// Newton's method with conjugate gradients on a small network: products of the Hessian and a vector
// (hvp) in place of the matrix.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ddx/ddx.h>

using Tensor = ddx::Tensor<double>;

/// scale sin(seed + 0.7 i) for the elements i, in place of random numbers.
Tensor pattern(const ddx::Shape& shape, double seed, double scale = 1) {
  const Tensor places = ddx::iota<double>(shape.count());
  return ddx::reshape(ddx::sin(places * 0.7 + seed) * scale, shape);
}

Tensor part(const Tensor& parameters, std::int64_t start, const ddx::Shape& shape) {
  return ddx::reshape(ddx::slice(parameters, {.start = {start}, .stop = {start + shape.count()}}),
                      shape);
}

/// The error of a network of 1, 6 and 1 units at sin(2 x), and a penalty for large parameters.
Tensor loss(const Tensor& parameters) {
  const Tensor x = pattern({20, 1}, 0.5, 2);
  const Tensor hidden =
      ddx::tanh(ddx::matmul(x, part(parameters, 0, {1, 6})) + part(parameters, 6, {6}));
  const Tensor y = ddx::matmul(hidden, part(parameters, 12, {6, 1})) + part(parameters, 18, {1});
  return ddx::mean(ddx::square(y - ddx::sin(x * 2.0))) + 0.01 * ddx::sum(ddx::square(parameters));
}

double dot(const Tensor& a, const Tensor& b) {
  return ddx::sum(a * b).item();
}

/// Solves (H + 0.1) d = -g by at most 10 conjugate directions, up to one of negative curvature.
Tensor newton_direction(const Tensor& at, const Tensor& slope) {
  Tensor direction = ddx::zeros<double>(at.shape());
  Tensor rest = -slope;
  Tensor conjugate = rest;
  double square = dot(rest, rest);
  for (int i = 0; i < 10; ++i) {
    const Tensor product = ddx::hvp(loss, at, conjugate) + 0.1 * conjugate;
    const double curvature = dot(conjugate, product);
    if (curvature <= 0) {
      break;
    }
    const double step = square / curvature;
    direction += step * conjugate;
    rest -= step * product;
    const double next = dot(rest, rest);
    conjugate = rest + next / square * conjugate;
    square = next;
  }
  return direction;
}

int main() {
  Tensor parameters = ddx::concatenate(std::vector<Tensor>{
      pattern({6}, 1, 0.8), pattern({6}, 2, 0.3), pattern({6}, 3, 0.5), pattern({1}, 4, 0.1)});
  const double first = loss(parameters).item();
  for (int step = 0; step < 300; ++step) {
    const auto [value, slope] = ddx::value_with_gradient(loss, parameters);
    const Tensor direction = newton_direction(parameters, slope);
    const double descent = dot(slope, direction);
    double length = 1;
    while (loss(parameters + length * direction).item() > value.item() + 1e-4 * length * descent &&
           length > 1e-6) {
      length /= 2;
    }
    parameters += length * direction;
  }
  const double last = loss(parameters).item();
  std::printf("loss %.12f, after 300 steps %.12f\n", first, last);
  // From the same program in JAX, examples/record_second_order.py.
  const bool right =
      std::abs(first - 0.607634421884584) < 1e-9 && std::abs(last - 0.167600786808287) < 1e-9;
  return right ? 0 : 1;
}
