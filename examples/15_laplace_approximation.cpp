// The Laplace approximation of a logistic regression: Newton's method finds the most probable
// weights, and the Hessian there says how certain they are, and how probable the model is.

#include <cmath>
#include <cstdio>
#include <ddx/ddx.h>

using Tensor = ddx::Tensor<double>;

/// sin(seed + 0.7 i) for the elements i, in place of data.
Tensor pattern(const ddx::Shape& shape, double seed) {
  const Tensor places = ddx::iota<double>(shape.count());
  return ddx::reshape(ddx::sin(places * 0.7 + seed), shape);
}

int main() {
  const Tensor features =
      ddx::concatenate(std::vector<Tensor>{pattern({30, 3}, 0.5), ddx::ones<double>({30, 1})}, 1);
  const Tensor first_feature =
      ddx::reshape(ddx::slice(features, {.start = {0, 0}, .stop = {30, 1}}), {30});
  const Tensor labels =
      ddx::cast<double>(ddx::greater(pattern({30}, 0.9) + 0.5 * first_feature, 0.0));

  // Minus the logarithm of the probability of the labels and of normal weights.
  const auto energy = [&](const Tensor& weights) {
    const Tensor scores = ddx::reshape(ddx::matmul(features, ddx::reshape(weights, {4, 1})), {30});
    return ddx::sum(ddx::softplus(scores) - labels * scores) + 0.5 * ddx::sum(ddx::square(weights));
  };

  Tensor weights = ddx::zeros<double>({4});
  for (int step = 0; step < 20; ++step) {
    const Tensor slope = ddx::reshape(ddx::gradient(energy, weights), {4, 1});
    weights -= ddx::reshape(ddx::solve(ddx::hessian(energy, weights), slope), {4});
  }
  const Tensor curvature = ddx::hessian(energy, weights);
  const double least = energy(weights).item();
  const double evidence = -least - 0.5 * ddx::slogdet(curvature).log_abs_det.item();
  const double deviation = std::sqrt(ddx::inverse(curvature)[{0, 0}]);
  std::printf("energy %.12f, log evidence %.12f, deviation of the first weight %.12f\n", least,
              evidence, deviation);
  // From the same program in JAX, examples/record_second_order.py.
  const bool right = std::abs(least - 19.7268804346433) < 1e-9 &&
                     std::abs(evidence + 22.5269398580856) < 1e-9 &&
                     std::abs(deviation - 0.620968741320493) < 1e-9;
  return right ? 0 : 1;
}
